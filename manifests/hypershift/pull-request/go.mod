// The files of this folder belong into openshift/hypershift. They are no part of the module above, and don't compile here.
module github.com/openshift/hypershift

go 1.26

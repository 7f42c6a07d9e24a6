package gitops

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsimple"
	"github.com/zclconf/go-cty/cty"
)

// configuration is what Terraform knows of the example.
type configuration struct {
	Variables []struct {
		Name    string         `hcl:"name,label"`
		Type    hcl.Expression `hcl:"type"`
		Default string         `hcl:"default"`
	} `hcl:"variable,block"`
	Resources []struct {
		Type            string `hcl:"type,label"`
		Name            string `hcl:"name,label"`
		TriggersReplace string `hcl:"triggers_replace"`
		Provisioner     struct {
			Type    string `hcl:"type,label"`
			Command string `hcl:"command"`
		} `hcl:"provisioner,block"`
	} `hcl:"resource,block"`
}

// TestTerraform: the commands that Terraform runs are those for kubectl, with the version of the variable.
func TestTerraform(t *testing.T) {
	variables := &hcl.EvalContext{Variables: map[string]cty.Value{"var": cty.ObjectVal(map[string]cty.Value{"release": cty.StringVal("4.20.2")})}}
	var read configuration
	if err := hclsimple.Decode("example.hcl", []byte(example(t, "terraform")), variables, &read); err != nil {
		t.Fatal(err)
	}
	if len(read.Variables) != 1 || len(read.Resources) != 1 || read.Variables[0].Name != "release" {
		t.Fatalf("%+v", read)
	}
	resource := read.Resources[0]
	if resource.Type != "terraform_data" || resource.Provisioner.Type != "local-exec" || resource.TriggersReplace != "4.20.2" {
		t.Errorf("%+v", resource)
	}
	if diff := cmp.Diff(strings.TrimSpace(example(t, "bash")), strings.TrimSpace(resource.Provisioner.Command)); diff != "" {
		t.Errorf("(-kubectl +terraform):\n%s", diff)
	}
}

package insight

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

const (
	// uidMaxLength is the length of a DNS label (RFC 1123), which a uid is.
	uidMaxLength = 63
	// uidHashLength is the number of hexadecimal digits that tell apart names which do not fit: 64 bits, so that no two of
	// a cluster's names share one.
	uidHashLength = 16
)

var (
	uidFits   = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	uidHashed = regexp.MustCompile(`-[0-9a-f]{16}$`)
	uidMisfit = regexp.MustCompile(`[^a-z0-9]+`)
)

// UID returns the uid of the insight about the object with a name: prefix-name where that is a DNS label, otherwise as
// much of it as fits and a hash of the name. The same name has the same uid for ever, two names never share one: a name
// that looks as if it ended in a hash is hashed too.
func UID(prefix, name string) string {
	uid := prefix + "-" + name
	if len(uid) <= uidMaxLength && uidFits.MatchString(uid) && !uidHashed.MatchString(uid) {
		return uid
	}
	sum := sha256.Sum256([]byte(name))
	hash := hex.EncodeToString(sum[:])[:uidHashLength]
	readable := uidMisfit.ReplaceAllString(strings.ToLower(uid), "-")
	readable = readable[:min(len(readable), uidMaxLength-uidHashLength-1)]
	return strings.Trim(readable, "-") + "-" + hash
}

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
	return strings.Trim(readable(strings.ToLower(uid), uidMaxLength-uidHashLength-1), "-") + "-" + hash
}

// readable returns the first characters of a text, with a dash for all that a uid can't have.
func readable(text string, most int) string {
	result := make([]byte, 0, most)
	for _, char := range []byte(text) {
		if len(result) == most {
			break
		}
		switch {
		case char >= 'a' && char <= 'z' || char >= '0' && char <= '9':
			result = append(result, char)
		case len(result) == 0 || result[len(result)-1] != '-':
			result = append(result, '-')
		}
	}
	return string(result)
}

package text

import (
	"bytes"
	"encoding/hex"
	"sync"

	"github.com/zeebo/blake3"
)

// A Tag is 4 upper-case hex digits. It is an index, never an identity: 65,536
// values are few, so whatever is found by tag is compared in full.
type Tag string

// A Revision is the BLAKE3-256 digest of a file's raw bytes as 64 lower-case
// hex digits.
type Revision string

var hashers = sync.Pool{New: func() any { return blake3.New() }}

const upperHex = "0123456789ABCDEF"

func tagOf(sum []byte) Tag {
	return Tag([]byte{upperHex[sum[0]>>4], upperHex[sum[0]&15], upperHex[sum[1]>>4], upperHex[sum[1]&15]})
}

// RevisionOf digests raw bytes.
func RevisionOf(raw []byte) Revision {
	sum := blake3.Sum256(raw)
	return Revision(hex.EncodeToString(sum[:]))
}

// Tag is the tag of the text: BLAKE3-256 of the body with every terminator LF
// and the blanks, tabs and CRs at the end of every line dropped.
// Cost: linear; a clean text is hashed in place, run by run.
func (t *Text) Tag() Tag {
	var sum [32]byte
	t.sum(&sum)
	return tagOf(sum[:])
}

// Stamp is the tag of the text and the revision of raw, which must be the
// bytes the text was decoded from or encodes to. A text that is already in
// normal form is hashed once for both.
func (t *Text) Stamp(raw []byte) (Tag, Revision) {
	var sum [32]byte
	clean := t.sum(&sum)
	// Equal lengths are not enough: UTF-16 and GB 18030 can be as long as UTF-8.
	if clean && bytes.Equal(raw, t.body) {
		return tagOf(sum[:]), Revision(hex.EncodeToString(sum[:]))
	}
	return tagOf(sum[:]), RevisionOf(raw)
}

// hashRun is how much of a clean text is handed to the hasher at a time: what
// was just looked at is still in the cache then, and the hasher takes whole
// multiples of its own buffer without copying them.
const hashRun = 16 * 8192

// sum digests the normalised body; clean reports that normalising dropped
// nothing. The hasher stays a concrete pointer from a pool: behind an
// io.Writer it would escape and cost 10 KiB a call.
func (t *Text) sum(out *[32]byte) (clean bool) {
	h := hashers.Get().(*blake3.Hasher)
	h.Reset()
	sep := byte('\n')
	if t.crOnly {
		sep = '\r'
	}
	b, at, run := t.body, 0, 0 // run is where the bytes not yet hashed start
	clean = true
	for _, e := range t.ends {
		next := int(e)
		end := next
		if b[end-1] == sep {
			end--
		}
		j := end
		for j > at && (b[j-1] == ' ' || b[j-1] == '\t' || b[j-1] == '\r') {
			j--
		}
		if j != end || t.crOnly {
			h.Write(b[run:j])
			run = end
			clean = false
		}
		if t.crOnly && end < next {
			h.Write([]byte{'\n'})
			run = next
		}
		for next-run >= hashRun {
			h.Write(b[run : run+hashRun])
			run += hashRun
		}
		at = next
	}
	h.Write(b[run:])
	h.Sum(out[:0])
	hashers.Put(h)
	return clean
}

// ValidTag reports whether s is 4 hex digits, of either case.
func ValidTag(s string) bool {
	if len(s) != 4 {
		return false
	}
	for i := 0; i < 4; i++ {
		c := s[i]
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

package text

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"putcut/refusal"
)

// The encodings that are found without being named.
const (
	UTF8    = "utf-8"
	UTF16LE = "utf-16le"
	UTF16BE = "utf-16be"
)

// A Format is how a text is stored on disk.
type Format struct {
	// Encoding is UTF8, UTF16LE, UTF16BE or a canonical WHATWG name.
	Encoding string
	// BOM says that a byte order mark precedes the text.
	BOM bool
	// Named says that the reader named the encoding, so it was decoded strictly.
	Named bool
}

const bom = "\xef\xbb\xbf"

// marked reports whether a file of this encoding may begin with a byte order
// mark, so that U+FEFF at its start is one.
func (f Format) marked() bool {
	switch f.Encoding {
	case "", UTF8, UTF16LE, UTF16BE:
		return true
	}
	return false
}

// Decode makes a text of the bytes of a file. An empty label means: UTF-16 if
// there is a UTF-16 byte order mark, else UTF-8, valid or not. Any other label
// is a WHATWG encoding label, decoded strictly.
//
// The text shares raw where it can; the caller must not change it.
// Errors: Binary, Encoding, InvalidArgument (unknown label).
func Decode(raw []byte, label string) (*Text, error) {
	if label != "" {
		return decodeNamed(raw, label)
	}
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return decode16(raw, binary.LittleEndian, UTF16LE)
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return decode16(raw, binary.BigEndian, UTF16BE)
	}
	if err := checkNUL(raw); err != nil {
		return nil, err
	}
	body, had := bytes.CutPrefix(raw, []byte(bom))
	return FromBody(body, Format{Encoding: UTF8, BOM: had}), nil
}

func checkNUL(b []byte) error {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return refusal.New(refusal.Binary, "the file is binary: there is a NUL byte at offset %d", i).
			WithNext("Leave it to a tool for binary files")
	}
	return nil
}

// decode16 decodes UTF-16 with a byte order mark. Unpaired surrogates become
// the three bytes their value would have in UTF-8, so that they go back to disk
// as they came; such lines are not valid UTF-8 and never count as displayed.
func decode16(raw []byte, order binary.ByteOrder, name string) (*Text, error) {
	if len(raw)%2 != 0 {
		return nil, refusal.New(refusal.Encoding, "the file has a UTF-16 byte order mark and an odd number of bytes (%d)", len(raw)).
			WithNext("Mend or convert the file first")
	}
	body := make([]byte, 0, len(raw)/2+len(raw)/8)
	for i := 2; i < len(raw); i += 2 {
		u := order.Uint16(raw[i:])
		switch {
		case u == 0:
			return nil, refusal.New(refusal.Binary, "the file is binary: there is a NUL character at offset %d of its UTF-16 text", i).
				WithNext("Leave it to a tool for binary files")
		case u < 0x80:
			body = append(body, byte(u))
		case u >= 0xd800 && u < 0xe000:
			if u < 0xdc00 && i+2 < len(raw) {
				if r := utf16.DecodeRune(rune(u), rune(order.Uint16(raw[i+2:]))); r != utf8.RuneError {
					body = utf8.AppendRune(body, r)
					i += 2
					continue
				}
			}
			body = append(body, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0xbf, 0x80|byte(u)&0xbf)
		default:
			body = utf8.AppendRune(body, rune(u))
		}
	}
	return FromBody(body, Format{Encoding: name, BOM: true}), nil
}

// encode16 is the inverse of decode16; ok is false when the body holds bytes
// that decode16 never makes.
func encode16(body []byte, order binary.AppendByteOrder) (out []byte, ok bool) {
	out = order.AppendUint16(make([]byte, 0, 2*len(body)+2), 0xfeff)
	for i := 0; i < len(body); {
		r, n := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && n <= 1 {
			if i+2 < len(body) && body[i] == 0xed && body[i+1] >= 0xa0 && body[i+1] < 0xc0 && body[i+2]&0xc0 == 0x80 {
				out = order.AppendUint16(out, 0xd000|uint16(body[i+1]&0x3f)<<6|uint16(body[i+2]&0x3f))
				i += 3
				continue
			}
			return nil, false
		}
		i += n
		if r >= 0x10000 {
			hi, lo := utf16.EncodeRune(r)
			out = order.AppendUint16(order.AppendUint16(out, uint16(hi)), uint16(lo))
		} else {
			out = order.AppendUint16(out, uint16(r))
		}
	}
	return out, true
}

func lookup(label string) (encoding.Encoding, string, error) {
	name, enc := encodingOf(label)
	if enc == nil {
		return nil, "", refusal.New(refusal.InvalidArgument, "there is no encoding called %q", label).
			WithNext("Use a WHATWG label such as windows-1252, shift_jis, gbk or euc-kr, or leave encoding out")
	}
	return enc, name, nil
}

// KnownEncoding reports whether label names an encoding; the error is an
// InvalidArgument refusal. The empty label is fine.
func KnownEncoding(label string) error {
	if label == "" {
		return nil
	}
	_, _, err := lookup(label)
	return err
}

func decodeNamed(raw []byte, label string) (*Text, error) {
	enc, name, err := lookup(label)
	if err != nil {
		return nil, err
	}
	bad := func() error {
		return refusal.New(refusal.Encoding, "the file is not valid %s: decoding it and encoding it again does not give the same bytes", name).
			WithNext("Read it without an encoding, or name the right one")
	}
	switch name {
	case UTF8:
		t, err := Decode(raw, "")
		if err != nil {
			return nil, err
		}
		if !t.valid || t.format.Encoding != UTF8 {
			return nil, bad()
		}
		t.format.Named = true
		return t, nil
	case UTF16LE, UTF16BE:
		f := Format{Encoding: name, Named: true}
		mark := []byte("\xff\xfe")
		order := binary.ByteOrder(binary.LittleEndian)
		if name == UTF16BE {
			mark, order = []byte("\xfe\xff"), binary.BigEndian
		}
		f.BOM = bytes.HasPrefix(raw, mark)
		if !f.BOM {
			raw = append(mark, raw...)
		}
		t, err := decode16(raw, order, name)
		if err != nil {
			return nil, err
		}
		if !t.valid {
			return nil, bad()
		}
		t.format = f
		return t, nil
	case "replacement", "x-user-defined":
		return nil, refusal.New(refusal.InvalidArgument, "the encoding %q cannot be used for files", label)
	}
	body, err := enc.NewDecoder().Bytes(raw)
	if err != nil {
		return nil, bad()
	}
	back, err := enc.NewEncoder().Bytes(body)
	if err != nil || !bytes.Equal(back, raw) {
		return nil, bad()
	}
	if err := checkNUL(body); err != nil {
		return nil, err
	}
	return FromBody(body, Format{Encoding: name, Named: true}), nil
}

// Encode is the text as bytes for disk. For UTF-8 without a byte order mark it
// is the body itself, shared. Errors: Encoding, when a character has no
// encoding in the file's own.
func (t *Text) Encode() ([]byte, error) {
	return t.format.encode(t.body)
}

func (f Format) encode(body []byte) ([]byte, error) {
	switch f.Encoding {
	case UTF8, "":
		if f.BOM {
			return append(append(make([]byte, 0, len(bom)+len(body)), bom...), body...), nil
		}
		return body, nil
	case UTF16LE, UTF16BE:
		order := binary.AppendByteOrder(binary.LittleEndian)
		if f.Encoding == UTF16BE {
			order = binary.BigEndian
		}
		out, ok := encode16(body, order)
		if !ok {
			return nil, refusal.New(refusal.Encoding, "the new text is not valid UTF-8, so it cannot be written as %s", f.Encoding)
		}
		if !f.BOM {
			out = out[2:]
		}
		return out, nil
	}
	enc, _, err := lookup(f.Encoding)
	if err != nil {
		return nil, err
	}
	out, err := enc.NewEncoder().Bytes(body)
	if err == nil {
		var back []byte
		if back, err = enc.NewDecoder().Bytes(out); err == nil && bytes.Equal(back, body) {
			return out, nil
		}
	}
	return nil, refusal.New(refusal.Encoding, "the new text has a character that %s, the encoding of this file, cannot hold", f.Encoding).
		WithNext("Use characters of that encoding, or convert the file first")
}

// Accepts reports whether a row may be inserted into the text: ASCII always
// may; other text may unless the file was taken for UTF-8 and holds invalid
// bytes, since then nobody knows what its bytes mean. Rows that are not valid
// UTF-8 never may. It says nothing of what a named encoding can hold.
func (t *Text) Accepts(row string) bool {
	if ascii(row) {
		return true
	}
	return (t.valid || t.format.Encoding != UTF8) && utf8.ValidString(row)
}

// CanEncode reports whether the format can hold every character of s.
func (f Format) CanEncode(s string) bool {
	if f.Encoding == UTF8 || ascii(s) {
		return true
	}
	_, err := f.encode([]byte(s))
	return err == nil
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

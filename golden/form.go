package golden

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// A form is how a body is spelled. txtar holds rows of text that end in LF; a
// form says which bytes such rows stand for.
type form struct {
	crlf, cr bool   // every LF stands for CRLF, for CR
	noEOL    bool   // the last LF stands for nothing
	bom      bool   // a byte order mark comes first
	utf16    string // "le", "be": the text is stored as UTF-16
	quoted   bool   // rows are Go string literals, put together
	base64   bool
	literal  bool // {{ }} stands for itself
	lines    int  // the body is repeated, {{n}} counts from 1; 0 means not
}

var flags = map[string]func(*form){
	"crlf":     func(f *form) { f.crlf = true },
	"cr":       func(f *form) { f.cr = true },
	"no-eol":   func(f *form) { f.noEOL = true },
	"bom":      func(f *form) { f.bom = true },
	"utf-16le": func(f *form) { f.utf16 = "le" },
	"utf-16be": func(f *form) { f.utf16 = "be" },
	"quoted":   func(f *form) { f.quoted = true },
	"base64":   func(f *form) { f.base64 = true },
	"literal":  func(f *form) { f.literal = true },
}

func isFlag(s string) bool { return flags[s] != nil }

// take reads the flags among the words of a marker and returns the other words.
func (f *form) take(toks []token) ([]token, error) {
	rest := toks[:0:0]
	for _, t := range toks {
		switch {
		case t.key == "" && !t.quoted && flags[t.value] != nil:
			was := *f
			flags[t.value](f)
			if *f == was || was.utf16 != "" && f.utf16 != was.utf16 {
				return nil, fmt.Errorf("the spelling `%s` is given twice, or beside its opposite", t.value)
			}
		case t.key == "lines":
			n, err := strconv.Atoi(t.value)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("lines is a number from 1, not %q", t.value)
			}
			f.lines = n
		default:
			rest = append(rest, t)
		}
	}
	text := f.crlf || f.cr || f.noEOL || f.bom || f.utf16 != "" || f.lines > 0
	switch {
	case f.crlf && f.cr:
		return nil, errors.New("`crlf` and `cr` exclude each other")
	case f.quoted && f.base64 || (f.quoted || f.base64) && text:
		return nil, errors.New("`quoted` and `base64` spell the exact bytes, so no other spelling stands beside them")
	}
	return rest, nil
}

// String is the form as words of a marker, with a leading blank.
func (f form) String() string {
	var b strings.Builder
	add := func(on bool, s string) {
		if on {
			b.WriteString(" " + s)
		}
	}
	add(f.lines > 0, "lines="+strconv.Itoa(f.lines))
	add(f.utf16 != "", "utf-16"+f.utf16)
	add(f.bom, "bom")
	add(f.crlf, "crlf")
	add(f.cr, "cr")
	add(f.noEOL, "no-eol")
	add(f.quoted, "quoted")
	add(f.base64, "base64")
	add(f.literal, "literal")
	return b.String()
}

// decode is the bytes that a body stands for, at most room of them. It shares
// the body where it can.
func (f form) decode(body []byte, room int) ([]byte, error) {
	tooLong := fmt.Errorf("the bodies of the archive stand for more than %d bytes", maxExpanded)
	switch {
	case f.base64:
		out, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(body)), ""))
		if err != nil {
			return nil, fmt.Errorf("the body is no base64: %w", err)
		}
		return within(out, room, tooLong)
	case f.quoted:
		out := []byte{}
		for i, row := range strings.Split(strings.TrimSuffix(string(body), "\n"), "\n") {
			if row = strings.TrimSpace(row); row == "" {
				continue
			}
			s, err := strconv.Unquote(row)
			if err != nil || row[0] == '\'' {
				return nil, fmt.Errorf("row %d of the body is no string literal: %s", i+1, clip(row))
			}
			out = append(out, s...)
		}
		return within(out, room, tooLong)
	}
	out := body
	if f.lines > 0 {
		if len(body) == 0 {
			return nil, errors.New("`lines` needs a body to repeat")
		}
		parts := bytes.Split(body, countMark)
		least := len(body) - (len(parts)-1)*(len(countMark)-1)
		if f.lines > room/least {
			return nil, tooLong
		}
		out = make([]byte, 0, f.lines*least)
		for n := 1; n <= f.lines; n++ {
			for i, part := range parts {
				if i > 0 {
					out = strconv.AppendInt(out, int64(n), 10)
				}
				out = append(out, part...)
			}
			if len(out) > room {
				return nil, tooLong
			}
		}
	}
	if f.noEOL {
		if len(out) == 0 {
			return nil, errors.New("`no-eol` needs a body")
		}
		out = out[:len(out)-1]
	}
	if f.crlf || f.cr {
		if bytes.IndexByte(out, '\r') >= 0 {
			return nil, errors.New("the body holds a CR already; use `quoted`")
		}
		eol := []byte("\r\n")
		if f.cr {
			eol = []byte("\r")
		}
		if len(out)+bytes.Count(out, []byte{'\n'}) > room {
			return nil, tooLong
		}
		out = bytes.ReplaceAll(out, []byte{'\n'}, eol)
	}
	if f.bom {
		out = append([]byte("\ufeff"), out...)
	}
	if f.utf16 != "" {
		if !utf8.Valid(out) {
			return nil, errors.New("the body is not UTF-8, so it cannot be stored as UTF-16")
		}
		if 2*len(out) > room {
			return nil, tooLong
		}
		out = toUTF16(out, f.utf16)
	}
	return within(out, room, tooLong)
}

var countMark = []byte("{{n}}")

func within(b []byte, room int, err error) ([]byte, error) {
	if len(b) > room {
		return nil, err
	}
	return b, nil
}

func toUTF16(b []byte, order string) []byte {
	o := binary.AppendByteOrder(binary.LittleEndian)
	if order == "be" {
		o = binary.BigEndian
	}
	out := make([]byte, 0, 2*len(b))
	for _, u := range utf16.Encode([]rune(string(b))) {
		out = o.AppendUint16(out, u)
	}
	return out
}

func fromUTF16(b []byte, order string) []byte {
	o := binary.ByteOrder(binary.LittleEndian)
	if order == "be" {
		o = binary.BigEndian
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = o.Uint16(b[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// spell is a body that stands for data, in the given form if that can hold it,
// else in the plainest form that can. Quoted can hold anything.
func spell(data []byte, want form) (body []byte, f form) {
	keep := want.literal
	want.lines = 0
	for _, f := range []form{want, plainest(data), {quoted: true}} {
		f.literal = keep
		body, ok := f.encode(data)
		if !ok {
			continue
		}
		if back, err := f.decode(body, 4*len(data)+16); err == nil && bytes.Equal(back, data) {
			return body, f
		}
	}
	panic("golden: quoted does not hold every text") // it does: each row is made by strconv
}

// plainest guesses the form that suits data; encode checks it.
func plainest(data []byte) form {
	var f form
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")) && len(data)%2 == 0:
		f.utf16 = "le"
	case bytes.HasPrefix(data, []byte("\xfe\xff")) && len(data)%2 == 0:
		f.utf16 = "be"
	}
	if f.utf16 != "" {
		data = fromUTF16(data, f.utf16)
	}
	data, f.bom = bytes.CutPrefix(data, []byte("\ufeff"))
	if bytes.IndexByte(data, '\r') >= 0 {
		f.crlf = bytes.IndexByte(data, '\n') >= 0
		f.cr = !f.crlf
	}
	f.noEOL = len(data) > 0 && !bytes.HasSuffix(data, []byte{'\n'}) && (!f.cr || !bytes.HasSuffix(data, []byte{'\r'}))
	return f
}

// encode is the inverse of decode; ok is false where the form cannot hold data.
func (f form) encode(data []byte) (body []byte, ok bool) {
	switch {
	case f.base64:
		s := base64.StdEncoding.EncodeToString(data)
		var b bytes.Buffer
		for len(s) > 76 {
			b.WriteString(s[:76] + "\n")
			s = s[76:]
		}
		if s != "" {
			b.WriteString(s + "\n")
		}
		return b.Bytes(), true
	case f.quoted:
		var b bytes.Buffer
		for _, row := range bytes.SplitAfter(data, []byte{'\n'}) {
			if len(row) > 0 {
				b.WriteString(strconv.Quote(string(row)) + "\n")
			}
		}
		return b.Bytes(), true
	}
	if f.utf16 != "" {
		if len(data)%2 != 0 {
			return nil, false
		}
		data = fromUTF16(data, f.utf16)
	}
	if f.bom {
		if data, ok = bytes.CutPrefix(data, []byte("\ufeff")); !ok {
			return nil, false
		}
	}
	switch {
	case f.crlf:
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	case f.cr:
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	if f.noEOL {
		data = append(data[:len(data):len(data)], '\n')
	}
	return data, holdable(data)
}

// holdable reports whether txtar holds data as it is, and whether a reader of
// the archive sees all of it.
func holdable(data []byte) bool {
	if len(data) == 0 {
		return true
	}
	if data[len(data)-1] != '\n' || !utf8.Valid(data) {
		return false
	}
	hidden := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\ufeff' || r == '\u2028' || r == '\u2029'
	}
	if bytes.ContainsFunc(data, hidden) {
		return false
	}
	return len(txtar.Parse(data).Files) == 0
}

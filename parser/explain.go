package parser

import (
	"fmt"
	"strings"

	"putcut/refusal"
)

// What a row of each kind looks like, for messages.
const (
	putForms = "`PUT 2.=3:`, `PUT 4*:`, `PUT <5:`, `PUT >5:`, `PUT >$:` or `PUT >4*:` with `+` rows below, or `PUT 2.=3 @name`, `PUT >5 @name`, `PUT >5`"
	cutForms = "`CUT 2.=3` or `CUT 4*`, with or without a register such as `@name`"
	opForms  = "`PUT 2.=3:` with `+` rows below, `CUT 2.=3`, `REM` or `MV new/path`"
)

// noTag refuses the first row of a script when it starts with [ and is no header.
func noTag(row int, text string) *problem {
	what := quote(text) + " is no header: a header is `[path#TAG]`, the tag 4 hex digits or NEW"
	if h := strings.TrimRight(text, blanks); strings.HasSuffix(h, "]") {
		inner := h[1 : len(h)-1]
		switch hash := strings.LastIndexByte(inner, '#'); {
		case isBlank(inner) || hash >= 0 && isBlank(inner[:hash]):
			what = quote(text) + " names no file: a header is `[path#TAG]`"
		case hash < 0:
			what = "the header " + quote(text) + " has no tag: a header is `[path#TAG]`, the tag 4 hex digits or NEW"
		default:
			what = "the header " + quote(text) + " has the tag " + quote(inner[hash+1:]) + "; a tag is 4 hex digits, or NEW for a file to be created"
		}
	}
	return atCode(refusal.TagRequired, row, 1, what).
		next("Read the file and copy the header row that stands above its lines")
}

// near refuses a row that is almost a marker, or a marker of another format.
func (l *scanner) near(marker, row string) *problem {
	if marker == "foreign" {
		return foreign(l.row, "an apply_patch patch", row, l.bare)
	}
	p := at(l.row, 1, "got "+quote(row)+", which is no marker; legal is "+quote(marker)+" as a row of its own").
		next("Write " + quote(marker) + ", or leave the row out: markers are optional")
	if marker == abortMarker {
		return p
	}
	return p.cured(l.row, 1, marker)
}

// unknownVerb refuses a row that starts as an op does, with a word that is no verb.
func (l *scanner) unknownVerb(row string, indent int, word string) *problem {
	col := column(row, indent)
	text := strings.Trim(row, blanks)
	if word == "" {
		return at(l.row, col, quote(text)+" has no verb; an op is "+opForms).
			next("Start the row with its verb: " + quote("PUT "+text) + " or " + quote("CUT "+strings.TrimRight(text, " \t:")))
	}
	if verb := verbOf(word); verb != "" {
		fixed := verb + text[len(word):]
		return at(l.row, col, "the verb "+quote(word)+" is neither in upper nor in lower case").
			next("Write "+quote(fixed)).
			cured(l.row, 1, fixed)
	}
	if fixed, ok := translate(text); ok {
		return at(l.row, col, quote(text)+" uses the retired verb "+quote(word)+"; today it is "+quote(fixed)).
			next("Write "+quote(fixed)).
			cured(l.row, 1, fixed)
	}
	return at(l.row, col, "unknown verb "+quote(word)+" in "+quote(text)+"; the verbs are `PUT`, `CUT`, `REM` and `MV`").
		next("Write one of " + opForms)
}

// stray refuses a row that stands where an op, a header or a marker must.
func (l *scanner) stray(row string) *problem {
	text := quote(row)
	op := opForms
	switch {
	case row[0] == '+':
		return at(l.row, 1, "the body row "+text+" stands under no op").
			next("Put its op above it, such as `PUT 2.=3:` or `PUT >3:`")
	case isNumbered(row):
		end := numberEnd(row)
		n := row[:end-1]
		return at(l.row, 1, text+" has the form of reader output, `N:text`; no row of a script does").
			next("Name the line and give its new text alone: `PUT " + n + ".=" + n + ":` and below it " + quote("+"+row[end:]))
	case row[0] == '-':
		return at(l.row, 1, text+" starts with `-`; there are no `-` rows, since the numbers of an op say what goes").
			next("Write `CUT 2.=3` to delete lines, `PUT 2.=3:` with `+` rows to replace them")
	case likeHeader(row):
		p := at(l.row, column(row, len(row)-len(strings.TrimLeft(row, blanks))), text+" is no header: a header is the whole row `[path#TAG]`, from its first column, the tag 4 hex digits or NEW").
			next("Write the header as the reader printed it")
		if trimmed := strings.Trim(row, blanks); !l.started || l.ops > 0 {
			if _, ok := parseHeader(trimmed); ok {
				p.cured(l.row, 1, trimmed)
			}
		}
		return p
	case row[0] == '[' && l.started:
		return at(l.row, 1, text+" is neither a header, which is `[path#TAG]` with 4 hex digits, nor an op").
			next("Write the header as the reader printed it")
	}
	if _, _, ok := fenceOf(row); ok {
		p := at(l.row, 1, "the fence "+text+" is neither the first nor the last row of the script; one fence may stand around the whole script").
			next("Leave the fences out")
		return p.cured(l.row, 1)
	}
	if retiredWithoutSide(row) {
		return at(l.row, 1, text+" does not say on which side of the line the rows go").
			next("Write `PUT <N:` for before line N, `PUT >N:` for after it")
	}
	if word := wordOf(row); len(word) > 1 && word == strings.ToUpper(word) && (len(word) == len(row) || strings.IndexByte(" \t<>", row[len(word)]) >= 0 || isDigit(row[len(word)])) {
		return at(l.row, 1, "unknown verb "+quote(word)+" in "+text+"; the verbs are `PUT`, `CUT`, `REM` and `MV`").
			next("Write one of " + op)
	}
	what := text + " is no op and no header; an op is " + op
	if !l.inSect && !l.bare {
		what = text + " is no header; a script starts with `[path#TAG]`"
	}
	p := at(l.row, 1, what).next("Leave out every row that is no op, header or body row; comments belong outside the script")
	if !l.started {
		l.dropProse(p)
	}
	return p
}

func retiredWithoutSide(row string) bool {
	word := strings.ToUpper(wordOf(strings.Trim(row, blanks)))
	return word == "INS" || word == "INSERT"
}

// dropProse proposes the script without the rows that stand before its first
// header, op, marker or fence.
func (l *scanner) dropProse(p *problem) {
	count, rest := 1, l.s[l.at:]
	for rest != "" {
		var row string
		row, rest = cutRow(rest)
		if _, ok := parseHeader(row); ok || markerOf(row) != "" || opnessOf(row) == exact {
			p.cured(l.row, count)
			return
		}
		if _, _, ok := fenceOf(row); ok {
			p.cured(l.row, count)
			return
		}
		if row != "" && (row[0] == '+' || row[0] == '-') || isNumbered(row) || opnessOf(row) != notOp {
			return
		}
		count++
	}
}

// afterEnd refuses what stands after the end marker.
func (l *scanner) afterEnd(row string) *problem {
	p := at(l.row, 1, quote(row)+" stands after "+quote(endMarker)+"; nothing may follow the end marker")
	// Edits after the marker would be lost with it, prose would not.
	count, prose := 1, !scriptRow(row)
	for rest := l.s[l.at:]; rest != ""; count++ {
		row, rest = cutRow(rest)
		prose = prose && !scriptRow(row)
	}
	if prose {
		return p.next("Leave out the rows after the marker").cured(l.row, count)
	}
	// The marker is the row above this one, blank rows aside.
	above := splitRows(l.s[:l.at])
	first := l.row - len(above) + 1
	for i := len(above) - 2; i >= 0; i-- {
		if markerOf(above[i]) == endMarker {
			p.cured(first+i, 1)
			break
		}
	}
	if markerOf(above[len(above)-1]) == beginMarker {
		p.cured(l.row, 1)
	}
	return p.next("Put all sections above " + quote(endMarker))
}

// scriptRow reports whether a row could carry a part of an edit.
func scriptRow(row string) bool {
	if row == "" {
		return false
	}
	_, header := parseHeader(row)
	return header || row[0] == '+' || row[0] == '-' || markerOf(row) != "" || opnessOf(row) != notOp
}

// explainOp says what is wrong with an op row whose part at offset bad cannot
// stand there. bad is len(row) when the row ends too early.
func explainOp(rowNo int, row string, bad int) *problem {
	indent := len(row) - len(strings.TrimLeft(row, blanks))
	word := wordOf(row[indent:])
	verb := strings.ToUpper(word)
	text := strings.Trim(row, blanks)
	var space [12]part
	parts := scanParts(space[:0], row, indent+len(word))
	if verb == "PUT" || verb == "CUT" {
		bad = firstBad(verb, parts, row)
	}
	prev, found := part{kind: partWord}, part{}
	for _, p := range parts {
		if p.start >= bad {
			found = p
			break
		}
		prev = p
	}
	got := "the row ends"
	if found.end > 0 {
		got = "got " + quote(row[found.start:found.end])
	}
	after := quote(verb)
	if prev.kind != partWord {
		after = quote(row[prev.start:prev.end])
	}
	legal, step := "", ""
	switch {
	case verb == "REM":
		legal, step = "the end of the row: `REM` removes the file its section names and takes nothing", "Write `REM` alone"
		got = "got " + quote(strings.Trim(row[min(bad, len(row)):], blanks))
	case verb == "MV":
		legal, step = "the new path of the file", "Write `MV new/path`"
	case found.kind == partOther && row[found.start] == '@':
		legal, step = "a register, which is `@` and 1 to 32 of A-Z a-z 0-9 _ -", "Choose a shorter or simpler name, such as `@part`"
	case prev.kind == partWord && verb == "CUT" && (found.kind == partBefore || found.kind == partAfter):
		legal, step = "lines: `CUT` takes "+cutForms+"; a gap holds nothing to cut", "Name the lines, as in `CUT 2.=3`"
	case prev.kind == partWord && verb == "CUT":
		legal, step = "the lines to cut, as in "+cutForms, "Name the lines, as in `CUT 2.=3`"
	case prev.kind == partWord:
		legal, step = "a place: `2.=3`, `4*`, `<5`, `>5`, `>$` or `>4*`", "Write one of "+putForms
	case prev.kind == partBefore:
		legal, step = "a line number; `<1` is the head of the file", "Write `PUT <5:` with the number of a line, or `PUT >$:` for the end of the file"
	case prev.kind == partAfter:
		legal, step = "a line number or `$`", "Write `PUT >5:` with the number of a line, or `PUT >$:` for the end of the file"
	case prev.kind == partSep || prev.kind == partSlipSep:
		legal, step = "the number of the last line", "Write both numbers, as in `2.=3`"
	case prev.kind == partColon:
		legal, step = "the end of the row; body rows stand below, each with `+`", "Put the text on the next row, after a `+`"
	case prev.kind == partRegister:
		legal, step = "the end of the row", "Write the op alone on its row"
	case prev.kind == partLine && verb == "CUT":
		legal, step = "`.=` and the last line, `*`, a register such as `@name`, or the end of the row", "Write "+cutForms
	case prev.kind == partLine && strings.Contains(row[:bad], "<"):
		legal, step = "`:`, a register such as `@name`, or the end of the row", "Write `PUT <5:`"
	case prev.kind == partLine:
		legal, step = "`.=` and the last line, `*`, `:`, or a register such as `@name`", "Write one of "+putForms
	case prev.kind == partEnd:
		legal, step = "`:`, a register such as `@name`, or the end of the row", "Write `PUT >$:`"
	default:
		legal, step = "`:`, a register such as `@name`, or the end of the row", "Write one of "+putForms
		if verb == "CUT" {
			legal, step = "a register such as `@name`, or the end of the row", "Write "+cutForms
		}
	}
	p := at(rowNo, column(row, min(bad, len(row))), fmt.Sprintf("in %s %s after %s; legal is %s", quote(text), got, after, legal))
	if fixed := mendOp(text, verb, parts, row); fixed != nil {
		return p.next("Write "+quote(fixed[0])).cured(rowNo, 1, fixed...)
	}
	return p.next(step)
}

// firstBad is the offset of the first part that no op has after the parts
// before it. The grammar's own position is that of the group it gave up.
func firstBad(verb string, parts []part, row string) int {
	known := putShapes
	if verb == "CUT" {
		known = cutShapes
	}
	for i, p := range parts {
		legal := false
		for shape := range known {
			legal = legal || len(shape) > i && sameKinds(shape[:i+1], parts)
		}
		if !legal {
			return p.start
		}
	}
	return len(row)
}

func sameKinds(shape string, parts []part) bool {
	for i := range len(shape) {
		if parts[i].kind != shape[i] {
			return false
		}
	}
	return true
}

// mendOp derives the rows that a malformed op row can only have meant, or nil.
func mendOp(text, verb string, parts []part, row string) []string {
	if verb == "REM" && strings.Trim(text[3:], " \t:;.") == "" {
		return []string{"REM"}
	}
	if verb != "PUT" && verb != "CUT" || len(parts) == 0 {
		return nil
	}
	known := putShapes
	if verb == "CUT" {
		known = cutShapes
	}
	piece := func(i int) string { return row[parts[i].start:parts[i].end] }
	var buf [8]byte
	// A separator of another language between two numbers.
	if len(parts) >= 3 && parts[0].kind == partLine {
		j := 1
		for j < len(parts) && parts[j].kind != partLine {
			j++
		}
		if j < len(parts) && isForeignSep(strings.ReplaceAll(row[parts[0].end:parts[j].start], " ", "")) {
			tail := strings.Trim(row[parts[j].end:], blanks)
			fixed := piece(0) + ".=" + piece(j)
			if tail != "" {
				if tail != ":" {
					fixed += " "
				}
				fixed += tail
			}
			if known[shapeOf(scanParts(nil, fixed, 0), &buf)] {
				return []string{verb + " " + fixed}
			}
		}
	}
	// Body text on the op's own row.
	for i, p := range parts {
		if p.kind == partColon && i+1 < len(parts) && verb == "PUT" && putShapes[shapeOf(parts[:i+1], &buf)] && !strings.Contains(shapeOf(parts[:i+1], &buf), "@") {
			inline := strings.Trim(row[p.end:], blanks)
			if isNumbered(inline) || inline[0] == '-' {
				return nil
			}
			return []string{text[:p.end-(len(row)-len(strings.TrimLeft(row, blanks)))], "+" + strings.TrimPrefix(inline, "+")}
		}
	}
	return nil
}

// isForeignSep reports whether a text between two numbers can only have meant .=.
func isForeignSep(s string) bool {
	switch s {
	case "...", "..=", "—", ",", "~", "to", "->", "=>", "==", "--", "––", "=.", ".-", "through", "thru":
		return true
	}
	return false
}

package parser

import "strings"

// translate turns an op row with a retired verb into the row that means the
// same today, keeping its numbers. It fails unless the whole row is understood.
//
//	SWAP, REPLACE    PUT        with BLK or BLOCK: N*
//	DEL, DELETE      CUT
//	INS, INSERT      PUT, gap   PRE BEFORE, POST AFTER, HEAD START TOP, TAIL END BOTTOM
//
// Verb and words are of either case; dots, blanks or _ stand between words.
func translate(row string) (string, bool) {
	t := strings.Trim(row, blanks)
	if !startsRetired(t) {
		return "", false
	}
	at := 0
	var words []string
	for at < len(t) && len(words) < 6 {
		start := at
		for at < len(t) && isLetter(t[at]) {
			at++
		}
		if at == start {
			break
		}
		words = append(words, strings.ToUpper(t[start:at]))
		for at < len(t) && strings.IndexByte(" \t._", t[at]) >= 0 {
			at++
		}
	}
	if len(words) == 0 || len(t)-at > 200 {
		return "", false
	}
	var block, line bool
	side := ""
	for _, w := range words[1:] {
		switch w {
		case "BLK", "BLOCK":
			block = true
		case "LINE", "LINES":
			line = true
		case "PRE", "BEFORE":
			side = "<"
		case "POST", "AFTER":
			side = ">"
		case "HEAD", "START", "TOP":
			side = "<1"
		case "TAIL", "END", "BOTTOM":
			side = ">$"
		default:
			return "", false
		}
	}
	rest := t[at:]
	var space [12]part
	var buf [8]byte
	parts := scanParts(space[:0], rest, 0)
	shape := shapeOf(parts, &buf)
	text := func(i int) string { return rest[parts[i].start:parts[i].end] }
	register := ""
	if i := strings.IndexByte(shape, '@'); i > 0 {
		register = " " + text(i)
	}
	place, _, _ := strings.Cut(shape, "@")
	place = strings.TrimSuffix(place, ":")
	if place != "" {
		switch { // the rest of the row must be one that today's verbs could have
		case !putShapes[shape]:
			return "", false
		case block && line:
			return "", false
		}
	} else if shape != "" && shape != ":" {
		return "", false
	}
	at2 := "" // the place as it is spelled today
	switch place {
	case "n":
		at2 = text(0) + ".=" + text(0)
	case "nsn", "nSn":
		at2 = text(0) + ".=" + text(2)
	case "n*":
		at2 = text(0) + "*"
	}
	if block {
		if place != "n" && place != "n*" {
			return "", false
		}
		at2 = text(0) + "*"
	}
	switch words[0] {
	case "SWAP", "REPLACE":
		if side != "" || at2 == "" {
			return "", false
		}
		if register != "" {
			return "PUT " + at2 + register, true
		}
		return "PUT " + at2 + ":", true
	case "DEL", "DELETE":
		if side != "" || at2 == "" {
			return "", false
		}
		return "CUT " + at2 + register, true
	case "INS", "INSERT":
		gap := ""
		switch {
		case side == "" && !block && place != "" && (place[0] == '<' || place[0] == '>'):
			gap = strings.ReplaceAll(rest[:parts[len(place)-1].end], " ", "")
		case (side == "<1" || side == ">$") && place == "" && !block:
			gap = side
		case side == ">" && block:
			gap = ">" + at2
		case (side == "<" || side == ">") && place == "n" && !block:
			gap = side + text(0)
		default:
			return "", false
		}
		if register != "" {
			return "PUT " + gap + register, true
		}
		return "PUT " + gap + ":", true
	}
	return "", false
}

// startsRetired reports whether the first word of t was once a verb.
func startsRetired(t string) bool {
	end := 0
	for end < len(t) && isLetter(t[end]) {
		end++
	}
	for _, verb := range [...]string{"SWAP", "REPLACE", "DEL", "DELETE", "INS", "INSERT"} {
		if end == len(verb) && strings.EqualFold(t[:end], verb) {
			return true
		}
	}
	return false
}

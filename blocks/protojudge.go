package blocks

import "slices"

// A protoJudge says where a protobuf file is wrong. It knows the grammar that
// protoc has and nothing of what names mean. After an error it goes on with
// the next declaration.
type protoJudge struct {
	src    []byte
	tokens []protoToken
	at     int
	errs   []int
	braces int // that are open
	depth  int // of literals
	quiet  int // tokens before this one are too near to an error
}

// protoErrors are the offsets of the errors in a file, in order. A file is
// judged in one pass; nesting costs stack, so it is bounded.
func protoErrors(src []byte) []int {
	j := &protoJudge{src: src}
	j.tokens, j.errs = protoTokens(src)
	j.file()
	slices.Sort(j.errs)
	return slices.Compact(j.errs)
}

func (j *protoJudge) kind() byte { return j.tokens[j.at].kind }

func (j *protoJudge) is(kind byte) bool { return j.tokens[j.at].kind == kind }

func (j *protoJudge) take() {
	switch j.kind() {
	case '{':
		j.braces++
	case '}':
		j.braces--
	case protoEOF:
		return
	}
	j.at++
}

// may takes a token if it is there.
func (j *protoJudge) may(kind byte) bool {
	if !j.is(kind) {
		return false
	}
	j.take()
	return true
}

// word is the word at hand, "" for any other token.
func (j *protoJudge) word() string {
	if t := j.tokens[j.at]; t.kind == protoWord {
		return string(j.src[t.from:t.to])
	}
	return ""
}

func (j *protoJudge) mayWord(words ...string) bool {
	if w := j.word(); w == "" || !slices.Contains(words, w) {
		return false
	}
	j.take()
	return true
}

// note notes an error at the token at hand.
func (j *protoJudge) note() { j.errs = append(j.errs, j.tokens[j.at].from) }

// wrong is note for an error that ends a declaration. One that comes right
// after another is its consequence and not noted. It is false, for callers to
// return.
func (j *protoJudge) wrong() bool {
	if j.at >= j.quiet {
		j.note()
	}
	j.quiet = j.at + 3
	return false
}

func (j *protoJudge) want(kind byte) bool { return j.may(kind) || j.wrong() }

// all does steps as long as they succeed.
func all(steps ...func() bool) bool {
	for _, s := range steps {
		if !s() {
			return false
		}
	}
	return true
}

func (j *protoJudge) need(kind byte) func() bool { return func() bool { return j.want(kind) } }

// semicolon wants one, and reads what follows even if it is missing.
func (j *protoJudge) semicolon() bool {
	if !j.may(';') {
		j.note()
	}
	return true
}

// semicolons are one that is wanted and any number more.
func (j *protoJudge) semicolons() bool {
	j.semicolon()
	return j.anySemicolons()
}

func (j *protoJudge) anySemicolons() bool {
	for j.may(';') {
	}
	return true
}

// declaration reads one, and after an error passes what is left of it: up to
// its semicolon, its braces, or the end of what it is in.
func (j *protoJudge) declaration(read func() bool) {
	start, inside := j.at, j.braces
	if read() {
		return
	}
	for !j.is(protoEOF) {
		switch {
		case j.is('}') && j.braces <= inside:
			if j.at == start && inside == 0 {
				j.at++ // it closes nothing
			}
			return
		case j.is(';') && j.braces <= inside:
			j.take()
			return
		case j.is('}'):
			if j.take(); j.braces <= inside {
				return
			}
		default:
			j.take()
		}
	}
}

func (j *protoJudge) file() {
	first := true
	if j.word() == "syntax" || j.word() == "edition" {
		j.declaration(func() bool {
			j.take()
			return all(j.need('='), j.text, j.need(';'))
		})
		first = j.is(';')
	}
	if j.is(protoEOF) {
		return
	}
	j.anySemicolons()
	if first && j.is(protoEOF) {
		j.wrong() // semicolons alone
	}
	for !j.is(protoEOF) {
		j.declaration(j.fileElement)
	}
}

func (j *protoJudge) fileElement() bool {
	switch j.word() {
	case "import":
		j.take()
		j.mayWord("weak", "public")
		return all(j.text, j.semicolons)
	case "package":
		j.take()
		return all(j.dotted, j.semicolons)
	case "option":
		return all(j.option, j.semicolons)
	case "message":
		return j.message()
	case "enum":
		return j.enum()
	case "extend":
		return j.extend()
	case "service":
		j.take()
		return all(j.name, func() bool { return j.body(true, j.serviceElement) }, j.anySemicolons)
	}
	return j.wrong()
}

// maxProtoNesting bounds the bodies, and the literals, inside each other.
const maxProtoNesting = 10_000

// body reads declarations in braces. loose says that semicolons may stand first.
func (j *protoJudge) body(loose bool, element func() bool) bool {
	if j.braces >= maxProtoNesting && j.is('{') {
		return j.wrong()
	}
	if !j.want('{') {
		return false
	}
	if loose {
		j.anySemicolons()
	}
	for !j.is('}') {
		if j.is(protoEOF) {
			return j.wrong()
		}
		j.declaration(element)
	}
	j.take()
	return true
}

func (j *protoJudge) name() bool { return j.want(protoWord) }

// text is a string, in pieces.
func (j *protoJudge) text() bool {
	if !j.want(protoString) {
		return false
	}
	for j.may(protoString) {
	}
	return true
}

// dotted is a name with dots between its words.
func (j *protoJudge) dotted() bool {
	for j.name() {
		if !j.may('.') {
			return true
		}
	}
	return false
}

// loosely is dotted that notes a dot at its end and goes on.
func (j *protoJudge) loosely() bool {
	if !j.name() {
		return false
	}
	for j.may('.') {
		if !j.may(protoWord) {
			j.note()
			break
		}
	}
	return true
}

func (j *protoJudge) typeName() bool {
	j.may('.')
	return j.loosely()
}

// fieldType is a type that does not begin with one of the given words.
func (j *protoJudge) fieldType(not ...string) bool {
	if slices.Contains(not, j.word()) {
		return j.wrong()
	}
	j.may('.')
	return j.dotted()
}

func (j *protoJudge) message() bool {
	j.take()
	return all(j.name, j.messageBody, j.anySemicolons)
}

func (j *protoJudge) messageBody() bool { return j.body(true, j.messageElement) }

func (j *protoJudge) messageElement() bool {
	switch j.word() {
	case "option":
		return all(j.option, j.semicolons)
	case "message":
		return j.message()
	case "enum":
		return j.enum()
	case "extend":
		return j.extend()
	case "oneof":
		j.take()
		return all(j.name, func() bool { return j.body(false, j.oneofElement) }, j.anySemicolons)
	case "extensions":
		j.take()
		if !j.ranges(false) {
			return false
		}
		if j.is('[') {
			return all(j.options, j.semicolons)
		}
		return all(j.need(';'), j.anySemicolons)
	case "reserved":
		return j.reserved(false)
	case "map":
		if j.tokens[j.at+1].kind == '<' {
			return all(j.mapType, j.name, j.optionalTag, j.semicolons)
		}
	case "required", "optional", "repeated":
		j.take()
		if j.mayWord("group") {
			return all(j.name, j.optionalTag, j.messageBody, j.anySemicolons)
		}
		return all(func() bool { return j.fieldType() }, j.name, j.optionalTag, j.semicolons)
	case "group":
		return j.wrong()
	}
	return all(func() bool { return j.fieldType() }, j.name, j.optionalTag, j.semicolons)
}

// optionalTag is the number of a field and its options, both of which may be
// left out; what that means is not for a grammar to say.
func (j *protoJudge) optionalTag() bool {
	if j.may('=') && !j.want(protoInt) {
		return false
	}
	return !j.is('[') || j.options()
}

func (j *protoJudge) tag() bool {
	return all(j.need('='), j.need(protoInt), func() bool { return !j.is('[') || j.options() })
}

func (j *protoJudge) mapType() bool {
	j.take()
	return all(j.need('<'), func() bool {
		return j.mayWord("int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64", "bool", "string") || j.wrong()
	}, j.need(','), j.typeName, j.need('>'))
}

func (j *protoJudge) oneofElement() bool {
	switch j.word() {
	case "option":
		return all(j.option, j.semicolon)
	case "group":
		j.take()
		return all(j.name, j.optionalTag, j.messageBody)
	}
	return all(func() bool { return j.fieldType("required", "optional", "repeated") }, j.name, j.optionalTag, j.semicolon)
}

func (j *protoJudge) extend() bool {
	j.take()
	return all(j.typeName, func() bool { return j.body(false, j.extendElement) }, j.anySemicolons)
}

func (j *protoJudge) extendElement() bool {
	if j.mayWord("required", "optional", "repeated") {
		if j.mayWord("group") {
			return all(j.name, j.tag, j.messageBody)
		}
		return all(func() bool { return j.fieldType() }, j.name, j.tag, j.semicolon)
	}
	return all(func() bool { return j.fieldType("group") }, j.name, j.tag, j.semicolon)
}

func (j *protoJudge) enum() bool {
	j.take()
	return all(j.name, func() bool { return j.body(true, j.enumElement) }, j.anySemicolons)
}

func (j *protoJudge) enumElement() bool {
	switch j.word() {
	case "option":
		return all(j.option, j.semicolons)
	case "reserved":
		return j.reserved(true)
	}
	return all(j.name, j.need('='), func() bool { return j.integer(true) }, func() bool { return !j.is('[') || j.options() }, j.semicolons)
}

// reserved are names, in quotes or without, or ranges, of negative numbers too
// if signed.
func (j *protoJudge) reserved(signed bool) bool {
	j.take()
	var item func() bool
	switch j.kind() {
	case protoString:
		item = j.text
	case protoWord:
		item = j.name
	default:
		return j.ranges(signed) && j.want(';') && j.anySemicolons()
	}
	for item() {
		if !j.may(',') {
			return j.semicolons()
		}
	}
	return false
}

func (j *protoJudge) ranges(signed bool) bool {
	for {
		if !j.integer(signed) {
			return false
		}
		if j.mayWord("to") && !j.mayWord("max") && !j.integer(signed) {
			return false
		}
		if !j.may(',') {
			return true
		}
	}
}

func (j *protoJudge) integer(signed bool) bool {
	if signed {
		j.may('-')
	}
	return j.want(protoInt)
}

func (j *protoJudge) serviceElement() bool {
	if j.word() == "option" {
		return all(j.option, j.semicolons)
	}
	if !j.mayWord("rpc") {
		return j.wrong()
	}
	if !all(j.name, j.methodType, func() bool { return j.mayWord("returns") || j.wrong() }, j.methodType) {
		return false
	}
	if !j.is('{') {
		return j.semicolons()
	}
	return j.body(true, func() bool {
		if j.word() != "option" {
			return j.wrong()
		}
		return all(j.option, j.semicolons)
	}) && j.anySemicolons()
}

func (j *protoJudge) methodType() bool {
	if !j.want('(') {
		return false
	}
	j.mayWord("stream")
	return j.typeName() && j.want(')')
}

// option is the word and what follows it up to the semicolon.
func (j *protoJudge) option() bool {
	j.take()
	return all(j.optionName, j.need('='), j.optionValue)
}

func (j *protoJudge) optionName() bool {
	for first := true; ; first = false {
		switch {
		case j.may(protoWord):
		case j.is('('):
			if !all(j.need('('), j.typeName, j.need(')')) {
				return false
			}
		case first:
			return j.wrong()
		default: // a dot at the end
			j.note()
			return true
		}
		if !j.may('.') {
			return true
		}
	}
}

// options are those of a field, in brackets.
func (j *protoJudge) options() bool {
	j.take()
	if j.is(']') {
		j.note()
		j.take()
		return true
	}
	for {
		if !j.optionName() {
			return false
		}
		if !j.may('=') {
			if !j.is(',') && !j.is(']') {
				return j.wrong()
			}
			j.note() // an option without a value
		} else if !j.optionValue() {
			return false
		}
		if !j.may(',') {
			return j.want(']')
		}
		if j.is(']') {
			j.note() // a comma at the end
			j.take()
			return true
		}
	}
}

func (j *protoJudge) optionValue() bool {
	switch {
	case j.is('{'):
		return j.literal()
	case j.may('-'):
		return j.may(protoInt) || j.may(protoFloat) || j.mayWord("inf", "nan") || j.wrong()
	}
	return j.scalar()
}

func (j *protoJudge) scalar() bool {
	switch {
	case j.is(protoString):
		return j.text()
	case j.may('-'):
		if j.may(protoInt) || j.may(protoFloat) {
			return true
		}
		t := j.tokens[j.at]
		if !j.name() {
			return false
		}
		switch string(lower(j.src[t.from:t.to])) {
		case "inf", "infinity", "nan":
		default:
			j.errs = append(j.errs, t.from) // no such number
		}
		return true
	}
	return j.may(protoInt) || j.may(protoFloat) || j.may(protoWord) || j.wrong()
}

func lower(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		out[i] = c
	}
	return out
}

// literal is a message in braces or angle brackets.
func (j *protoJudge) literal() bool {
	end := byte('}')
	if j.is('<') {
		end = '>'
	}
	if j.depth++; j.depth > maxProtoNesting {
		return j.wrong()
	}
	defer func() { j.depth-- }()
	j.take()
	for !j.may(end) {
		if !j.literalField() {
			return false
		}
		if !j.may(',') {
			j.may(';')
		}
	}
	return true
}

func (j *protoJudge) literalField() bool {
	if j.may('[') {
		if !j.loosely() || j.may('/') && !j.loosely() || !j.want(']') {
			return false
		}
	} else if !j.name() {
		return false
	}
	switch {
	case j.may(':'):
		switch {
		case j.is('{') || j.is('<'):
			return j.literal()
		case j.is('['):
			return j.literals(func() bool {
				if j.is('{') || j.is('<') {
					return j.literal()
				}
				return j.scalar()
			})
		}
		return j.scalar()
	case j.is('{') || j.is('<'):
		return j.literal()
	case j.is('['):
		return j.literals(func() bool {
			if j.is('{') || j.is('<') {
				return j.literal()
			}
			return j.wrong()
		})
	}
	return j.wrong()
}

// literals is a list in brackets.
func (j *protoJudge) literals(element func() bool) bool {
	j.take()
	if j.may(']') {
		return true
	}
	for element() {
		if !j.may(',') {
			return j.want(']')
		}
	}
	return false
}

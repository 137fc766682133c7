// Package refusal holds the vocabulary in which every other package says no,
// or says yes with a remark: the codes of the contract, the one error type
// that carries a refusal as data, and the warnings of an accepted change.
//
// It promises stable code strings and field names. It does not promise
// wording. It imports nothing of this module.
package refusal

// A Code names one kind of refusal. Codes are contract; they never change.
// A Code is itself an error, so that errors.Is(err, refusal.TagMismatch) asks
// for the kind of a refusal whatever its details are.
type Code string

// The refusal codes, section 12 of docs/contract.md.
const (
	InvalidArgument   Code = "INVALID_ARGUMENT"
	TagRequired       Code = "EDIT_TAG_REQUIRED"
	TagUnknown        Code = "EDIT_TAG_UNKNOWN"
	SessionUnknown    Code = "SESSION_UNKNOWN"
	TagMismatch       Code = "EDIT_TAG_MISMATCH"
	LinesUnseen       Code = "EDIT_LINES_UNSEEN"
	ParseFailed       Code = "EDIT_PARSE_FAILED"
	ForeignFormat     Code = "EDIT_FOREIGN_FORMAT"
	BodySuspect       Code = "EDIT_BODY_SUSPECT"
	RangeInvalid      Code = "EDIT_RANGE_INVALID"
	BlockUnresolved   Code = "EDIT_BLOCK_UNRESOLVED"
	RegisterEmpty     Code = "EDIT_REGISTER_EMPTY"
	RegisterAmbiguous Code = "EDIT_REGISTER_AMBIGUOUS"
	RepairAmbiguous   Code = "EDIT_REPAIR_AMBIGUOUS"
	Syntax            Code = "EDIT_SYNTAX"
	NoChange          Code = "EDIT_NO_CHANGE"
	AlreadyApplied    Code = "EDIT_ALREADY_APPLIED"
	NotFound          Code = "EDIT_NOT_FOUND"
	Exists            Code = "EDIT_EXISTS"
	NotRegular        Code = "EDIT_NOT_REGULAR"
	Binary            Code = "EDIT_BINARY"
	Encoding          Code = "EDIT_ENCODING"
	TooLarge          Code = "EDIT_TOO_LARGE"
	RevisionMismatch  Code = "EDIT_REVISION_MISMATCH"
	TextNotFound      Code = "EDIT_TEXT_NOT_FOUND"
	TextAmbiguous     Code = "EDIT_TEXT_AMBIGUOUS"
	Conflict          Code = "EDIT_CONFLICT"
	Limit             Code = "EDIT_LIMIT"
	Policy            Code = "EDIT_POLICY"
	OutsideWorkspace  Code = "PATH_OUTSIDE_WORKSPACE"
	IO                Code = "EDIT_IO"
)

// Error makes a Code usable as the target of errors.Is.
func (c Code) Error() string { return string(c) }

// A WarningCode names one kind of remark on an accepted change.
type WarningCode string

// The warning codes, section 12 of docs/contract.md.
const (
	Spelling       WarningCode = "W_SPELLING"
	BodyUnprefixed WarningCode = "W_BODY_UNPREFIXED"
	RowIsOp        WarningCode = "W_ROW_IS_OP"
	Echo           WarningCode = "W_ECHO"
	Indent         WarningCode = "W_INDENT"
	Split          WarningCode = "W_SPLIT"
	Escapes        WarningCode = "W_ESCAPES"
	Repaired       WarningCode = "W_REPAIRED"
	SyntaxErrors   WarningCode = "W_SYNTAX"
	Drift          WarningCode = "W_DRIFT"
	Remapped       WarningCode = "W_REMAPPED"
	FinalNewline   WarningCode = "W_FINAL_NEWLINE"
	PathRebound    WarningCode = "W_PATH_REBOUND"
	OpNoChange     WarningCode = "W_OP_NO_CHANGE"
	Stripped       WarningCode = "W_STRIPPED"
	InPlace        WarningCode = "W_IN_PLACE"
	Rewritten      WarningCode = "W_REWRITTEN"
	NotDurable     WarningCode = "W_NOT_DURABLE"
)

// A Warning is a remark on an accepted change. Row is the row of the script it
// speaks of, from 1, and 0 when it speaks of none.
type Warning struct {
	Code    WarningCode `json:"code"`
	Message string      `json:"message"`
	Path    string      `json:"path,omitempty"`
	Row     int         `json:"row,omitempty"`
}

package text

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// encodingOf is the canonical name and the encoding that a WHATWG label means,
// whatever its case and the blanks around it; "" and nil for none. The labels
// are code and not a map, which would be made whenever a program starts.
func encodingOf(label string) (string, encoding.Encoding) {
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8":
		return "utf-8", unicode.UTF8
	case "866", "cp866", "csibm866", "ibm866":
		return "ibm866", charmap.CodePage866
	case "csisolatin2", "iso-8859-2", "iso-ir-101", "iso8859-2", "iso88592", "iso_8859-2", "iso_8859-2:1987", "l2", "latin2":
		return "iso-8859-2", charmap.ISO8859_2
	case "csisolatin3", "iso-8859-3", "iso-ir-109", "iso8859-3", "iso88593", "iso_8859-3", "iso_8859-3:1988", "l3", "latin3":
		return "iso-8859-3", charmap.ISO8859_3
	case "csisolatin4", "iso-8859-4", "iso-ir-110", "iso8859-4", "iso88594", "iso_8859-4", "iso_8859-4:1988", "l4", "latin4":
		return "iso-8859-4", charmap.ISO8859_4
	case "csisolatincyrillic", "cyrillic", "iso-8859-5", "iso-ir-144", "iso8859-5", "iso88595", "iso_8859-5", "iso_8859-5:1988":
		return "iso-8859-5", charmap.ISO8859_5
	case "arabic", "asmo-708", "csiso88596e", "csiso88596i", "csisolatinarabic", "ecma-114", "iso-8859-6", "iso-8859-6-e",
		"iso-8859-6-i", "iso-ir-127", "iso8859-6", "iso88596", "iso_8859-6", "iso_8859-6:1987":
		return "iso-8859-6", charmap.ISO8859_6
	case "csisolatingreek", "ecma-118", "elot_928", "greek", "greek8", "iso-8859-7", "iso-ir-126", "iso8859-7", "iso88597",
		"iso_8859-7", "iso_8859-7:1987", "sun_eu_greek":
		return "iso-8859-7", charmap.ISO8859_7
	case "csiso88598e", "csisolatinhebrew", "hebrew", "iso-8859-8", "iso-8859-8-e", "iso-ir-138", "iso8859-8", "iso88598",
		"iso_8859-8", "iso_8859-8:1988", "visual":
		return "iso-8859-8", charmap.ISO8859_8
	case "csiso88598i", "iso-8859-8-i", "logical":
		return "iso-8859-8-i", charmap.ISO8859_8I
	case "csisolatin6", "iso-8859-10", "iso-ir-157", "iso8859-10", "iso885910", "l6", "latin6":
		return "iso-8859-10", charmap.ISO8859_10
	case "iso-8859-13", "iso8859-13", "iso885913":
		return "iso-8859-13", charmap.ISO8859_13
	case "iso-8859-14", "iso8859-14", "iso885914":
		return "iso-8859-14", charmap.ISO8859_14
	case "csisolatin9", "iso-8859-15", "iso8859-15", "iso885915", "iso_8859-15", "l9":
		return "iso-8859-15", charmap.ISO8859_15
	case "iso-8859-16":
		return "iso-8859-16", charmap.ISO8859_16
	case "cskoi8r", "koi", "koi8", "koi8-r", "koi8_r":
		return "koi8-r", charmap.KOI8R
	case "koi8-ru", "koi8-u":
		return "koi8-u", charmap.KOI8U
	case "csmacintosh", "mac", "macintosh", "x-mac-roman":
		return "macintosh", charmap.Macintosh
	case "dos-874", "iso-8859-11", "iso8859-11", "iso885911", "tis-620", "windows-874":
		return "windows-874", charmap.Windows874
	case "cp1250", "windows-1250", "x-cp1250":
		return "windows-1250", charmap.Windows1250
	case "cp1251", "windows-1251", "x-cp1251":
		return "windows-1251", charmap.Windows1251
	case "ansi_x3.4-1968", "ascii", "cp1252", "cp819", "csisolatin1", "ibm819", "iso-8859-1", "iso-ir-100", "iso8859-1", "iso88591",
		"iso_8859-1", "iso_8859-1:1987", "l1", "latin1", "us-ascii", "windows-1252", "x-cp1252":
		return "windows-1252", charmap.Windows1252
	case "cp1253", "windows-1253", "x-cp1253":
		return "windows-1253", charmap.Windows1253
	case "cp1254", "csisolatin5", "iso-8859-9", "iso-ir-148", "iso8859-9", "iso88599", "iso_8859-9", "iso_8859-9:1989", "l5",
		"latin5", "windows-1254", "x-cp1254":
		return "windows-1254", charmap.Windows1254
	case "cp1255", "windows-1255", "x-cp1255":
		return "windows-1255", charmap.Windows1255
	case "cp1256", "windows-1256", "x-cp1256":
		return "windows-1256", charmap.Windows1256
	case "cp1257", "windows-1257", "x-cp1257":
		return "windows-1257", charmap.Windows1257
	case "cp1258", "windows-1258", "x-cp1258":
		return "windows-1258", charmap.Windows1258
	case "x-mac-cyrillic", "x-mac-ukrainian":
		return "x-mac-cyrillic", charmap.MacintoshCyrillic
	case "chinese", "csgb2312", "csiso58gb231280", "gb2312", "gb_2312", "gb_2312-80", "gbk", "iso-ir-58", "x-gbk":
		return "gbk", simplifiedchinese.GBK
	case "gb18030":
		return "gb18030", simplifiedchinese.GB18030
	case "big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5":
		return "big5", traditionalchinese.Big5
	case "cseucpkdfmtjapanese", "euc-jp", "x-euc-jp":
		return "euc-jp", japanese.EUCJP
	case "csiso2022jp", "iso-2022-jp":
		return "iso-2022-jp", japanese.ISO2022JP
	case "csshiftjis", "ms932", "ms_kanji", "shift-jis", "shift_jis", "sjis", "windows-31j", "x-sjis":
		return "shift_jis", japanese.ShiftJIS
	case "cseuckr", "csksc56011987", "euc-kr", "iso-ir-149", "korean", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601",
		"windows-949":
		return "euc-kr", korean.EUCKR
	case "csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr", "replacement":
		return "replacement", encoding.Replacement
	case "unicodefffe", "utf-16be":
		return "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	case "csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le":
		return "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "x-user-defined":
		return "x-user-defined", charmap.XUserDefined
	}
	return "", nil
}

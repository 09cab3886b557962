//! Encodings by their names.

use downpour_tensor::{Result, Status, excerpt};
use encoding_rs::Encoding;

use super::decoder::Decoder;
use super::double_byte::DoubleByte;
use super::single_byte::Table;
use super::utf::ByteOrder;

/// Returns the decoder of an encoding. Names are compared as ICU does: letters and digits count, in either case, and
/// zeros before a number do not.
pub(super) fn decoder(name: &str) -> Result<Decoder> {
    let table = |table: Table| Decoder::Table(Box::new(table));
    let plain = |encoding: &'static Encoding| table(Table::new(encoding, &[]));
    Ok(match &compared(name)[..] {
        "utf8" | "unicode11utf8" | "cp1208" | "ibm1208" | "windows65001" => Decoder::Utf8,
        "utf16" | "iso10646ucs2" | "csunicode" | "ucs2" | "unicode" => Decoder::Utf16(None),
        "utf16be" | "xutf16be" | "unicodebigunmarked" | "cp1201" => {
            Decoder::Utf16(Some(ByteOrder::Big))
        }
        "utf16le" | "xutf16le" | "unicodelittleunmarked" => Decoder::Utf16(Some(ByteOrder::Little)),
        "utf32" | "iso10646ucs4" | "csucs4" | "ucs4" => Decoder::Utf32(None),
        "utf32be" => Decoder::Utf32(Some(ByteOrder::Big)),
        "utf32le" => Decoder::Utf32(Some(ByteOrder::Little)),
        "usascii" | "ascii" | "ansix341968" | "ansix341986" | "iso646irv1991" | "iso646us"
        | "us" | "csascii" | "isoir6" | "cp367" | "ibm367" | "646" | "ascii7" | "windows20127" => {
            table(Table::ascii())
        }
        "iso88591" | "88591" | "ibm819" | "cp819" | "latin1" | "csisolatin1" | "isoir100"
        | "l1" => table(Table::latin1()),
        "iso88592" | "88592" | "ibm912" | "cp912" | "latin2" | "csisolatin2" | "isoir101"
        | "l2" => plain(encoding_rs::ISO_8859_2),
        "iso88593" | "88593" | "ibm913" | "cp913" | "latin3" | "csisolatin3" | "isoir109"
        | "l3" => plain(encoding_rs::ISO_8859_3),
        "iso88594" | "88594" | "ibm914" | "cp914" | "latin4" | "csisolatin4" | "isoir110"
        | "l4" => plain(encoding_rs::ISO_8859_4),
        "iso88595" | "88595" | "ibm915" | "cp915" | "cyrillic" | "csisolatincyrillic"
        | "isoir144" => plain(encoding_rs::ISO_8859_5),
        "iso88596" | "88596" | "ibm1089" | "cp1089" | "arabic" | "csisolatinarabic"
        | "isoir127" => plain(encoding_rs::ISO_8859_6),
        "iso88597" | "greek" | "greek8" | "elot928" | "ecma118" | "csisolatingreek"
        | "isoir126" => plain(encoding_rs::ISO_8859_7),
        "iso88598" | "88598" | "hebrew" | "hebrew8" | "csisolatinhebrew" | "isoir138" => {
            plain(encoding_rs::ISO_8859_8)
        }
        "iso88599" | "88599" | "ibm920" | "cp920" | "latin5" | "csisolatin5" | "isoir148"
        | "l5" => table(Table::new(encoding_rs::WINDOWS_1254, &[]).with_controls()),
        "iso885910" | "latin6" | "csisolatin6" | "isoir157" | "l6" => {
            plain(encoding_rs::ISO_8859_10)
        }
        "iso885911" => table(Table::new(encoding_rs::WINDOWS_874, &[]).with_controls()),
        "iso885913" | "885913" | "ibm921" | "cp921" => plain(encoding_rs::ISO_8859_13),
        "iso885914" | "latin8" | "isoceltic" | "isoir199" | "l8" => plain(encoding_rs::ISO_8859_14),
        "iso885915" | "885915" | "latin9" | "ibm923" | "cp923" | "l9" => {
            plain(encoding_rs::ISO_8859_15)
        }
        "windows1250" | "cp1250" => plain(encoding_rs::WINDOWS_1250),
        "windows1251" | "cp1251" => plain(encoding_rs::WINDOWS_1251),
        "windows1252" | "cp1252" => plain(encoding_rs::WINDOWS_1252),
        "windows1253" | "cp1253" => table(Table::new(encoding_rs::WINDOWS_1253, &[(0xaa, 0xaa)])),
        "windows1254" | "cp1254" => plain(encoding_rs::WINDOWS_1254),
        "windows1255" | "cp1255" => {
            table(Table::new(encoding_rs::WINDOWS_1255, &[(0xca, u32::MAX)]))
        }
        "windows1256" | "cp1256" => plain(encoding_rs::WINDOWS_1256),
        "windows1257" | "cp1257" => plain(encoding_rs::WINDOWS_1257),
        "windows1258" | "cp1258" => plain(encoding_rs::WINDOWS_1258),
        "windows874" | "tis620" => {
            let own = [0xdb, 0xdc, 0xdd, 0xde, 0xfc, 0xfd, 0xfe, 0xff].into_iter().zip(0xf8c1..);
            table(Table::new(encoding_rs::WINDOWS_874, &own.collect::<Vec<_>>()))
        }
        "koi8r" | "koi8" | "cskoi8r" => plain(encoding_rs::KOI8_R),
        "koi8u" => table(Table::new(encoding_rs::KOI8_U, &[(0xae, 0x255d), (0xbe, 0x256c)])),
        "macintosh" | "mac" | "csmacintosh" | "windows10000" | "macroman" | "xmacroman" => {
            plain(encoding_rs::MACINTOSH)
        }
        "xmaccyrillic" => plain(encoding_rs::X_MAC_CYRILLIC),
        "ibm866" | "cp866" | "866" | "csibm866" => {
            // The table is that of a PC, in which these three stand elsewhere.
            table(Table::new(encoding_rs::IBM866, &[(0x1a, 0x1c), (0x1c, 0x7f), (0x7f, 0x1a)]))
        }
        "shiftjis" | "sjis" | "csshiftjis" | "mskanji" | "windows31j" | "cswindows31j"
        | "ms932" | "cp932" | "windows932" | "cp943c" | "ibm943c" | "xsjis" | "xmscp932"
        | "pck" => Decoder::DoubleByte(DoubleByte::ShiftJis),
        "eucjp"
        | "extendedunixcodepackedformatforjapanese"
        | "cseucpkdfmtjapanese"
        | "xeucjp"
        | "ujis"
        | "eucjp2007" => Decoder::DoubleByte(DoubleByte::EucJp),
        "euckr" | "cseuckr" | "ibm970" | "cp970" | "970" | "ibmeuckr" => {
            Decoder::DoubleByte(DoubleByte::EucKr)
        }
        "big5" | "csbig5" => Decoder::DoubleByte(DoubleByte::Big5),
        "gbk" | "cp936" | "ms936" | "windows936" => Decoder::DoubleByte(DoubleByte::Gbk),
        "gb18030" => Decoder::DoubleByte(DoubleByte::Gb18030),
        _ => {
            return Err(Status::invalid_argument(format!(
                "Could not create converter for input encoding: {}",
                excerpt(name.as_bytes())
            )));
        }
    })
}

/// Returns what counts of a name.
fn compared(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut characters = name.chars().peekable();
    let mut in_number = false;
    while let Some(character) = characters.next() {
        if !character.is_ascii_alphanumeric() {
            in_number = false;
            continue;
        }
        let more = characters.peek().is_some_and(char::is_ascii_digit);
        if character == '0' && !in_number && more {
            continue;
        }
        in_number = character.is_ascii_digit();
        kept.push(character.to_ascii_lowercase());
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_icu_does() {
        assert_eq!(compared(" UTF_8 "), "utf8");
        assert_eq!(compared("ISO-8859-01"), "iso88591");
        assert_eq!(compared("windows-20127"), "windows20127");
        assert_eq!(compared("iso-8859-10"), "iso885910");
        assert!(decoder("Latin_1").is_ok());
        assert!(decoder("").is_err() && decoder("bogus").is_err());
    }
}

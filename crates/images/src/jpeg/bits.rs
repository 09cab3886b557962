//! The bits between the markers of a JPEG file.

use super::huffman::LOOKAHEAD;

/// Marker of the end of an image.
pub(super) const END: u8 = 0xD9;

/// The bits loaded, from the top, and how many they are.
#[derive(Clone, Copy, Default)]
pub(super) struct Loaded {
    pub window: u64,
    pub count: u32,
}

/// Reads bits up to the next marker. After that come zeros without end.
pub(super) struct Bits<'a> {
    data: &'a [u8],
    /// The next byte to load.
    position: usize,
    loaded: Loaded,
    /// The marker that ended the bits; it stands just before `position`.
    marker: Option<u8>,
    /// Zeros were read instead of bits of the file.
    overrun: bool,
    /// Bytes beyond the end of the data were asked for, and no marker stands there.
    starved: bool,
    /// Where the bytes of the current unit begin that are not loaded yet.
    unit: usize,
    /// Bytes are loaded six at a time.
    by_six: bool,
    /// Goes on in a file that ends too early.
    recover: bool,
}

impl<'a> Bits<'a> {
    pub fn new(data: &'a [u8], position: usize, recover: bool) -> Bits<'a> {
        Bits {
            data,
            position,
            loaded: Loaded::default(),
            marker: None,
            overrun: false,
            starved: false,
            unit: position,
            by_six: false,
            recover,
        }
    }

    /// Makes sure that `count` bits, at most 16, can be looked at.
    ///
    /// Bytes are loaded exactly when libjpeg loads them: a file that ends too early shows the difference.
    #[inline(always)]
    pub fn require(&mut self, count: u32) {
        if self.loaded.count < self.least(count) {
            self.load();
        }
    }

    /// Returns how few bits there must be for more to be loaded where `count` are required.
    #[inline(always)]
    pub fn least(&self, count: u32) -> u32 {
        if self.by_six { 17 } else { count }
    }

    /// Loads more bits into `loaded`, a copy of this reader's bits of which some were taken since. `before` is the last
    /// value that was taken together with its code, or 0.
    #[inline(always)]
    pub fn load_more(&mut self, loaded: &mut Loaded, before: i16) {
        if !self.by_six || !self.load_word(loaded) {
            *loaded = self.load_slowly(*loaded, before);
        }
    }

    #[inline(never)]
    fn load_slowly(&mut self, loaded: Loaded, before: i16) -> Loaded {
        self.loaded = loaded;
        self.load_before(before);
        self.require(LOOKAHEAD);
        self.loaded
    }

    /// Loads six bytes if none of them is 0xFF; says whether it did.
    #[inline(always)]
    fn load_word(&mut self, loaded: &mut Loaded) -> bool {
        let Some(bytes) = self.data.get(self.position..).and_then(|rest| rest.first_chunk()) else {
            return false;
        };
        // Bytes of 0xFF are those that are 0 here.
        let word = u64::from_be_bytes(*bytes);
        if (!word).wrapping_sub(0x0101_0101_0101 << 16) & word & (0x8080_8080_8080 << 16) != 0 {
            return false;
        }
        loaded.window |= (word & !0xFFFF) >> loaded.count;
        loaded.count += 48;
        self.position += 6;
        true
    }

    #[inline(never)]
    fn load(&mut self) {
        if self.by_six { self.load_six() } else { self.fill() }
    }

    fn load_six(&mut self) {
        let mut loaded = self.loaded;
        if self.load_word(&mut loaded) {
            self.loaded = loaded;
            return;
        }
        for _ in 0..6 {
            let Some(byte) = self.next_byte() else { return };
            self.push(byte);
        }
    }

    fn fill(&mut self) {
        while self.loaded.count <= 56 {
            if self.loaded.count <= 32
                && self.marker.is_none()
                && let Some(&[a, b, c, d]) = self.data[self.position..].first_chunk()
                && a != 0xFF
                && b != 0xFF
                && c != 0xFF
                && d != 0xFF
            {
                let word = u32::from_be_bytes([a, b, c, d]);
                self.loaded.window |= u64::from(word) << (32 - self.loaded.count);
                self.loaded.count += 32;
                self.position += 4;
                continue;
            }
            let Some(byte) = self.next_byte() else { return };
            self.push(byte);
        }
    }

    fn push(&mut self, byte: u8) {
        self.loaded.window |= u64::from(byte) << (56 - self.loaded.count);
        self.loaded.count += 8;
    }

    /// Returns the next byte of bits; `None` at a marker or at the end of the data.
    ///
    /// Where the data end within a unit, libjpeg with TensorFlow's source of data takes the unit's bytes once more;
    /// where they end with a unit, it takes the image to end. So its pixels are ours.
    fn next_byte(&mut self) -> Option<u8> {
        if self.marker.is_some() || self.starved {
            return None;
        }
        if self.position == self.data.len() && !self.begin_again() {
            return None;
        }
        let byte = self.data[self.position];
        self.position += 1;
        if byte != 0xFF {
            return Some(byte);
        }
        // Any number of 0xFF may stand before a marker, or before the zero of a byte 0xFF.
        let mut rounds = 0;
        loop {
            match self.data.get(self.position) {
                Some(0xFF) => self.position += 1,
                Some(0) => {
                    self.position += 1;
                    return Some(0xFF);
                }
                Some(&marker) => {
                    self.position += 1;
                    self.marker = Some(marker);
                    return None;
                }
                // Nothing but 0xFF: libjpeg would never end.
                None if rounds > 1 => {
                    self.marker = Some(END);
                    return None;
                }
                None if !self.begin_again() => return None,
                None => rounds += 1,
            }
        }
    }

    /// Goes back to the unit's bytes, if the end of the data may be passed.
    fn begin_again(&mut self) -> bool {
        if !self.recover {
            self.starved = true;
        } else if self.unit >= self.data.len() {
            self.marker = Some(END);
        } else {
            self.position = self.unit;
            return true;
        }
        false
    }

    /// Begins a new unit of whole blocks, or of parts of blocks if `blocks` is 0.
    #[inline(always)]
    pub fn begin_unit(&mut self, blocks: usize) {
        self.unit = self.position;
        let rest = self.data.len() - self.position;
        self.by_six = blocks > 0 && self.marker.is_none() && rest >= 512 * blocks;
    }

    /// Returns the next `count` bits, of those required, and leaves them there.
    #[inline(always)]
    pub fn peek(&self, count: u32) -> u32 {
        (self.loaded.window >> (64 - count)) as u32
    }

    /// Passes over `count` bits, at most 32.
    #[inline(always)]
    pub fn skip(&mut self, count: u32) {
        self.loaded.window <<= count;
        if count > self.loaded.count {
            self.overrun = true;
            self.loaded.count = 0;
        } else {
            self.loaded.count -= count;
        }
    }

    /// Takes the next `count` bits, at most 16.
    #[inline(always)]
    pub fn take(&mut self, count: u32) -> u32 {
        if count == 0 {
            return 0;
        }
        self.require(count);
        let value = self.peek(count);
        self.skip(count);
        value
    }

    /// Loads what libjpeg loads between a code and its value, if they were taken together.
    #[inline(always)]
    pub fn load_before(&mut self, value: i16) {
        let bits = 16 - value.unsigned_abs().leading_zeros();
        if value != 0 && self.by_six && self.loaded.count + bits <= 16 {
            self.load_six();
        }
    }

    /// Returns the bits that are loaded: a loop reads faster from a copy of its own.
    #[inline(always)]
    pub fn loaded(&self) -> Loaded {
        self.loaded
    }

    /// Sets what is left of the bits that were loaded.
    #[inline(always)]
    pub fn set_loaded(&mut self, loaded: Loaded) {
        self.loaded = loaded;
    }

    /// True if zeros had to stand in for bits.
    pub fn overrun(&self) -> bool {
        self.overrun
    }

    /// True if the data end where bits should be.
    pub fn starved(&self) -> bool {
        self.starved
    }

    /// True if they end with a unit, where TensorFlow gives up the whole file.
    pub fn ends_with_unit(&self) -> bool {
        self.unit >= self.data.len()
    }

    /// Drops what is left of a byte and the bits behind it, and finds restart marker `number`, or what stands where
    /// it should. A marker that cannot belong here is passed over; one that comes too early stays, and the bits
    /// before it are missing.
    pub fn restart(&mut self, number: u8) {
        self.loaded = Loaded::default();
        loop {
            let marker = match self.marker {
                Some(marker) => marker,
                None => match self.next_marker() {
                    Some(marker) => marker,
                    None => {
                        if self.recover {
                            self.marker = Some(END);
                        } else {
                            self.starved = true;
                        }
                        return;
                    }
                },
            };
            let distance = marker.wrapping_sub(0xD0).wrapping_sub(number) & 7;
            match marker {
                0xD0..=0xD7 if distance == 0 || (3..=5).contains(&distance) => {
                    self.marker = None;
                    self.overrun = false;
                    self.unit = self.position;
                    return;
                }
                // The next ones: this one was lost.
                0xD0..=0xD7 if distance <= 2 => {
                    self.marker = Some(marker);
                    return;
                }
                // Earlier ones, and what is no marker at all.
                0xD0..=0xD7 | 0..=0xBF => self.marker = None,
                _ => {
                    self.marker = Some(marker);
                    return;
                }
            }
        }
    }

    fn next_marker(&mut self) -> Option<u8> {
        let (marker, position) = find_marker(self.data, self.position)?;
        self.position = position;
        Some(marker)
    }

    /// Returns where to look for the marker behind the bits, and that marker if it was found already.
    pub fn end(&self) -> (usize, Option<u8>) {
        (self.position, self.marker)
    }
}

/// Returns the next marker from `position` on, and the position behind it.
pub(super) fn find_marker(data: &[u8], mut position: usize) -> Option<(u8, usize)> {
    loop {
        position += data.get(position..)?.iter().position(|&b| b == 0xFF)?;
        position += data[position..].iter().take_while(|&&b| b == 0xFF).count();
        let &marker = data.get(position)?;
        position += 1;
        if marker != 0 {
            return Some((marker, position));
        }
    }
}

import library from "crc-32";

/**
 * CRC-32 (ISO-HDLC, as in zip and PNG) of bytes, in [0, 2^32). `seed` is the checksum of the bytes before these:
 * `checksum(b, checksum(a))` is the checksum of a followed by b.
 */
export type Checksum = (bytes: Uint8Array, seed?: number) => number;

/** The checksum in plain JavaScript, for every platform. Several hundred MB/s. */
export const crc32: Checksum = (bytes, seed = 0) => library.buf(bytes, seed) >>> 0;

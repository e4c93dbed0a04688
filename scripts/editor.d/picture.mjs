// A picture that is easy to see: a slope of colour in a frame. No two seeds look alike.

import zlib from "node:zlib";

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name), data]);
  const sized = Buffer.alloc(body.length + 8);
  sized.writeUInt32BE(data.length, 0);
  body.copy(sized, 4);
  sized.writeUInt32BE(zlib.crc32(body), body.length + 4);
  return sized;
}

/** A PNG of this size. */
export function picture(width, height, seed) {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  const base = [(seed * 67) % 200, (seed * 131) % 200, (seed * 29) % 200];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const edge = Math.min(x, y, width - 1 - x, height - 1 - y) < 4;
      const at = y * (width * 3 + 1) + 1 + x * 3;
      for (let c = 0; c < 3; c += 1) {
        rows[at + c] = edge ? 20 : base[c] + Math.floor((55 * (x + y)) / (width + height));
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk("IHDR", header), chunk("IDAT", zlib.deflateSync(rows))];
  return Buffer.concat([signature, ...parts, chunk("IEND", Buffer.alloc(0))]);
}

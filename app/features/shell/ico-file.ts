/**
 * Pictures of one icon in several sizes as one `favicon.ico`: a header of 6 bytes, 16 bytes about each picture, then the pictures, which
 * may be PNG since Windows Vista. https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)
 */
export function icoFile(pictures: readonly { side: number; png: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const start = 6 + 16 * pictures.length;
  const file = new Uint8Array(start + pictures.reduce((sum, { png }) => sum + png.length, 0));
  const view = new DataView(file.buffer);
  view.setUint16(2, 1, true); // an icon, not a cursor
  view.setUint16(4, pictures.length, true);
  let offset = start;
  for (const [index, { side, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    view.setUint8(at, side % 256); // 256 is written as 0
    view.setUint8(at + 1, side % 256);
    view.setUint16(at + 4, 1, true); // planes
    view.setUint16(at + 6, 32, true); // bits a pixel
    view.setUint32(at + 8, png.length, true);
    view.setUint32(at + 12, offset, true);
    file.set(png, offset);
    offset += png.length;
  }
  return file;
}

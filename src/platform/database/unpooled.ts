/** Copies bytes out of Node's 64 KiB pool, which a few long-lived bytes would keep in memory. */
export function copyUnpooled(bytes: string | Buffer): Buffer {
  if (typeof bytes === 'string') {
    const copy = Buffer.allocUnsafeSlow(Buffer.byteLength(bytes));
    copy.write(bytes);
    return copy;
  }
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

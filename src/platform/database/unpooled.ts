/**
 * Copies bytes into their own memory, for long-lived values. Node allocates small buffers as slices of a 64 KiB pool, so a few bytes
 * would keep a whole pool in memory.
 */
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

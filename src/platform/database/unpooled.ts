/**
 * A copy of the bytes in memory of its own, for long-lived values. Node allocates small buffers as slices of a 64 KiB pool: a few
 * bytes would keep the whole pool in memory.
 */
export function unpooled(bytes: string | Buffer): Buffer {
  if (typeof bytes === 'string') {
    const own = Buffer.allocUnsafeSlow(Buffer.byteLength(bytes));
    own.write(bytes);
    return own;
  }
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

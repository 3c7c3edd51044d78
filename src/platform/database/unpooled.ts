/**
 * The bytes in memory of their own, for what is kept. Node makes small buffers as slices of a pool of 64 KiB: to keep one of a few
 * bytes is to keep the whole pool.
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

import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const CODE_DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Computes a HOTP code (RFC 4226). */
export function computeCode(secret: Buffer, step: number, digits = CODE_DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  // The dynamic truncation of RFC 4226.
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Computes the time step of TOTP (RFC 6238), with the defaults of authenticator apps: 30 seconds, SHA-1. */
export const computeTimeStep = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS);

/** Finds the time step of a correct code: the current one, or one before or after to tolerate clock skew. Steps up to `lastUsedStep` are skipped. */
export function findMatchingStep(
  secret: Buffer,
  code: string,
  { now, lastUsedStep }: { now: Date; lastUsedStep: number | null },
) {
  const steps = [0, -1, 1]
    .map((offset) => computeTimeStep(now) + offset)
    .filter((step) => step > (lastUsedStep ?? -1));
  // `timingSafeEqual` requires equal lengths.
  const codeBytes = Buffer.from(code.padEnd(CODE_DIGITS).slice(0, CODE_DIGITS));
  return steps.find((step) => timingSafeEqual(codeBytes, Buffer.from(computeCode(secret, step))));
}

export function encodeBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((chunk) => BASE32[parseInt(chunk.padEnd(5, '0'), 2)]).join('');
}

export function buildTotpUri(secret: Buffer, account: string): string {
  const label = encodeURIComponent(`Semana:${account}`);
  return `otpauth://totp/${label}?secret=${encodeBase32(secret)}&issuer=Semana`;
}

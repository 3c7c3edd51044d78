/**
 * Exact arithmetic on integers and fractions, without floating point. "Half up" means that a tie goes to the larger number: 0.5 →
 * 1, and -0.5 → 0 (money here is never negative).
 */

/** Returns ⌊n / d⌋ for d > 0, also below zero (BigInt division cuts towards zero). */
export function floorDiv(n: bigint, d: bigint): bigint {
  const quotient = n / d;
  return n % d < 0n ? quotient - 1n : quotient;
}

/** Returns n / d rounded half up, for d > 0. */
export function divHalfUp(n: bigint, d: bigint): bigint {
  return floorDiv(2n * n + d, 2n * d);
}

/**
 * Returns V = base × (num / den)^(x / y) rounded half up, exactly, although V is usually irrational: with h = ⌊2V⌋,
 * V rounded half up is ⌊(h + 1) / 2⌋, and h is the integer y-th root of ⌊(2·base)^y · num^x / den^x⌋.
 */
export function powerHalfUp(base: bigint, num: bigint, den: bigint, x: number, y: number): bigint {
  const common = gcd(num, den);
  const exponentCommon = Number(gcd(BigInt(x), BigInt(y)));
  const power = BigInt(x / exponentCommon);
  const root = BigInt(y / exponentCommon);
  const doubledPower = ((2n * base) ** root * (num / common) ** power) / (den / common) ** power;
  return (integerRoot(doubledPower, root) + 1n) / 2n;
}

/** Returns the largest r with r^k ≤ n (Newton's method, started from above). */
export function integerRoot(n: bigint, k: bigint): bigint {
  if (n < 0n || k < 1n) throw new RangeError('integerRoot: n must not be negative and k at least 1');
  if (n < 2n || k === 1n) return n;
  const bits = BigInt(n.toString(16).length * 4);
  let root = 1n << (bits / k + 1n);
  for (;;) {
    const nextRoot = ((k - 1n) * root + n / root ** (k - 1n)) / k;
    if (nextRoot >= root) return root;
    root = nextRoot;
  }
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

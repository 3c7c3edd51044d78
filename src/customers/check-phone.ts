import { isIPv6 } from 'node:net';
import type { Static } from 'typebox';
import { rateLimited } from '#partners';
import { type Customers, phoneSubject } from './customers.ts';
import { CHECKS_FROM_AN_ADDRESS, CHECKS_OF_A_PHONE, secondsUntil, takeAttempt } from './limits.ts';
import type { PhoneCheck } from './schemas.ts';
import { findLogin } from './store.ts';

/** Says whether somebody can log in with the phone. That is why it is bounded: no list of phones is sifted through it. */
export async function checkPhone(
  customers: Customers,
  phone: string,
  address: string,
): Promise<Static<typeof PhoneCheck>> {
  const { db, clock, vault } = customers;
  const now = clock.now();
  const limits = [
    [CHECKS_FROM_AN_ADDRESS, vault.hash('address', networkOf(address)), 'from this address'],
    [CHECKS_OF_A_PHONE, phoneSubject(customers, phone), 'of this phone'],
  ] as const;
  for (const [limit, subject, whose] of limits) {
    const { granted, reopensAt } = await takeAttempt(db, limit, subject, now);
    if (granted) continue;
    throw rateLimited(`At most ${limit.most} checks a minute ${whose}.`, {
      headers: { 'retry-after': secondsUntil(reopensAt, now) },
    });
  }
  const found = await findLogin(db, phone);
  return {
    phone,
    registered: found !== undefined,
    login_methods: found ? [...(found.password_hash ? (['password'] as const) : []), 'otp'] : [],
  };
}

/** One household has a /64 of IPv6 and may use a new address of it for every request. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address.replace('::ffff:', '');
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = address.includes('::')
    ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
    : left;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

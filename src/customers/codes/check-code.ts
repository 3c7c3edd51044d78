import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '#platform/vault.ts';
import { type Customers, phoneSubject } from '../customers.ts';
import { takeTry } from './store.ts';

const MOST_TRIES = 5;

/** A code that was right, and has yet to be used up (`markUsed`) in the transaction it is good for. */
export type RightCode = { subject: Buffer; id: string };

/** Undefined when it is wrong, or too old, used, or tried too often. Counts as one of its tries. */
export async function checkCode(
  { db, clock, vault }: Customers,
  phone: string,
  code: string,
): Promise<RightCode | undefined> {
  const subject = phoneSubject({ vault }, phone);
  const kept = await takeTry(db, subject, MOST_TRIES, clock.now());
  const isRight = timingSafeEqual(hashCode(vault, phone, code), kept?.code_hash ?? NO_HASH);
  return kept && isRight ? { subject, id: kept.id } : undefined;
}

const NO_HASH = Buffer.alloc(32);

/** The phone is part of it: the same digits are another hash for everybody else. */
export const hashCode = (vault: Vault, phone: string, code: string) =>
  vault.hash('login_code', `${phone} ${code}`);

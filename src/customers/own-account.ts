import type { Static } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { type Change, recordChange } from '#platform/privacy/trail.ts';
import { changing, customerSubject } from './change-customer.ts';
import { checkCode } from './codes/check-code.ts';
import { markUsed } from './codes/store.ts';
import { sealPerson } from './create-customer.ts';
import type { Customers } from './customers.ts';
import { eraseCustomer, type PersonalDeps } from './export-customer.ts';
import { openIdentity } from './people.ts';
import type { CodeProof, NewPhone } from './phone-changes/forms.ts';
import { changePhoneNow } from './phone-changes/phone-change.ts';
import { codeWrong, tokenInvalid } from './problems.ts';
import { renderCustomer } from './render-customer.ts';
import type { Customer, Login } from './schemas.ts';
import { answerLogin, openSession } from './sessions/open-session.ts';
import { findCustomer, lockPerson, updatePerson } from './store.ts';

type Proof = Static<typeof CodeProof>;
type Own = { caller: Caller; change: Change };

/** A code that was sent to the current phone. Used up in the transaction of the change. */
async function checkOwnCode(customers: Customers, { caller }: Own, proof: Proof, which?: 'current') {
  const { db, people, creditUsed } = customers;
  const customer = await findCustomer(db, caller.customerId, creditUsed);
  if (!customer) throw tokenInvalid('customer_gone');
  const { phone } = people.of(customer);
  const right = await checkCode(customers, { phone, ...proof }, caller.address);
  if (!right) throw codeWrong(which);
  return right;
}

/** Confirmed by a code to the phone. E-mail gets no codes, and nobody logs in with it. */
export async function changeOwnEmail(
  customers: Customers,
  own: Own,
  { email, ...proof }: Proof & { email: string },
): Promise<Static<typeof Customer>> {
  const { db, vault, people, creditUsed } = customers;
  const { customerId } = own.caller;
  const right = await checkOwnCode(customers, own, proof);
  await changing(customers, customerId, { change: own.change }, async (tx, { id }) => {
    if (!(await markUsed(tx, right, own.change.now))) throw codeWrong();
    const was = openIdentity(vault, (await lockPerson(tx, id))!);
    await updatePerson(tx, sealPerson(vault, id, { ...was, email: email.toLowerCase() }));
  });
  return renderCustomer((await findCustomer(db, customerId, creditUsed))!, people);
}

/** With codes to both phones, at once. All sessions end, and a new one begins. */
export async function changeOwnPhone(
  customers: Customers,
  own: Own,
  { current, ...wanted }: Static<typeof NewPhone>,
): Promise<Static<typeof Login>> {
  const { db, ended } = customers;
  const { customerId, partnerId, address } = own.caller;
  const { change } = own;
  const right = await checkOwnCode(customers, own, current, 'current');
  const rightNew = await checkCode(customers, wanted, address);
  if (!rightNew) throw codeWrong('new');
  let endedSessions: string[] = [];
  const login = await customerTransaction(db, customerId, async (tx) => {
    await recordChange(tx, change, { of: customerSubject(customers), id: customerId }, async ({ phone }) => {
      if (!(await markUsed(tx, right, change.now))) throw codeWrong('current');
      if (!(await markUsed(tx, rightNew, change.now))) throw codeWrong('new');
      const asked = { customerId, from: phone, to: wanted.phone, by: customerId, now: change.now };
      if (phone !== wanted.phone) endedSessions = await changePhoneNow(tx, asked);
    });
    const session = await openSession(tx, customers, { holderId: customerId, partnerId, address });
    return answerLogin({ ...customers, db: tx }, session);
  });
  for (const id of endedSessions) ended.note(id);
  return login;
}

/** As the operator does it, with a code. */
export async function eraseOwnAccount(customers: Customers & PersonalDeps, own: Own, proof: Proof) {
  const right = await checkOwnCode(customers, own, proof);
  const erased = await eraseCustomer(customers, own.caller.customerId, own.change, right);
  for (const id of erased?.endedSessions ?? []) customers.ended.note(id);
}

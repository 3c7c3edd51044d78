import type { Static } from 'typebox';
import { checkCode } from './codes/check-code.ts';
import { markUsed } from './codes/store.ts';
import type { Customers } from './customers.ts';
import { wrongLogin } from './problems.ts';
import type { CodeLogin, Login } from './schemas.ts';
import { answerLogin, openSession } from './sessions/open-session.ts';
import { lockLogin } from './store.ts';

export async function logInByCode(
  customers: Customers,
  { phone, code }: Static<typeof CodeLogin>,
  partnerId: string,
): Promise<Static<typeof Login>> {
  const { db, clock, metrics } = customers;
  const right = await checkCode(customers, phone, code);
  const session = right
    ? await db.transaction(async (tx) => {
        if (!(await markUsed(tx, right.subject, right.id, clock.now()))) return undefined;
        const customer = await lockLogin(tx, phone);
        if (!customer || customer.locked_at) return undefined;
        return openSession(tx, customers, { customerId: customer.id, partnerId });
      })
    : undefined;
  metrics.logins.inc({ method: 'code', outcome: session ? 'granted' : 'refused' });
  if (!session) throw wrongLogin();
  return answerLogin(customers, session);
}

import type { Static } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { type AuditContext, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import type { CodeProof, NewPhone } from './auth-schemas.ts';
import { customerAuditEntity, withAuditedCustomerUpdate } from './change-customer.ts';
import { checkCode } from './codes/codes.ts';
import { consumeCode } from './codes/store.ts';
import { buildStoredIdentity } from './create-customer.ts';
import type { CustomersDeps } from './customers.ts';
import { decryptIdentity } from './identity.ts';
import { buildLoginResponse } from './log-in.ts';
import { eraseCustomer } from './personal-data-requests.ts';
import { changePhoneNow } from './phone-changes/phone-change.ts';
import { codeWrong, tokenInvalid } from './problems.ts';
import { renderCustomer } from './render-customer.ts';
import { openSession } from './sessions/sessions.ts';
import { findCustomer, lockIdentity, updateIdentity } from './store.ts';

type CodeProofInput = Static<typeof CodeProof>;
type OwnRequest = { caller: Caller; auditContext: AuditContext };

/** Checks a code that was sent to the current phone. The transaction of the change consumes the code. */
async function checkOwnCode(
  deps: CustomersDeps,
  { caller }: OwnRequest,
  proof: CodeProofInput,
  codeField?: 'current',
) {
  const { db, clock, identities } = deps;
  const customer = await findCustomer(db, caller.customerId, deps, clock.now());
  if (!customer) throw tokenInvalid('customer_missing');
  const { phone } = identities.decrypt(customer);
  const verifiedCode = await checkCode(deps, { phone, ...proof }, caller.ipAddress);
  if (!verifiedCode) throw codeWrong(codeField);
  return verifiedCode;
}

/** Changes the e-mail. Confirmed with a code sent to the phone, because customers do not log in with the e-mail. */
export async function changeOwnEmail(
  deps: CustomersDeps,
  request: OwnRequest,
  { email, ...proof }: CodeProofInput & { email: string },
) {
  const { db, clock, vault, identities } = deps;
  const { customerId } = request.caller;
  const verifiedCode = await checkOwnCode(deps, request, proof);
  await withAuditedCustomerUpdate(
    deps,
    customerId,
    { auditContext: request.auditContext },
    async (tx, { id }) => {
      if (!(await consumeCode(tx, verifiedCode, request.auditContext.now))) throw codeWrong();
      const identity = decryptIdentity(vault, (await lockIdentity(tx, id))!);
      await updateIdentity(tx, buildStoredIdentity(vault, id, { ...identity, email: email.toLowerCase() }));
    },
  );
  return renderCustomer((await findCustomer(db, customerId, deps, clock.now()))!, identities);
}

/** Changes the phone immediately, confirmed with codes sent to both phones: all sessions end, and a new one starts. */
export async function changeOwnPhone(
  deps: CustomersDeps,
  request: OwnRequest,
  { current: currentPhoneProof, ...newPhoneProof }: Static<typeof NewPhone>,
) {
  const { auditContext, caller } = request;
  const { customerId, partnerId, ipAddress } = caller;
  const { now } = auditContext;
  const verifiedCurrentCode = await checkOwnCode(deps, request, currentPhoneProof, 'current');
  const verifiedNewCode = await checkCode(deps, newPhoneProof, ipAddress);
  if (!verifiedNewCode) throw codeWrong('new');
  return customerTransaction(deps.db, customerId, async (tx) => {
    const auditTarget = { entity: customerAuditEntity(deps), id: customerId };
    await withAuditedUpdate(tx, auditContext, auditTarget, async ({ phone: from }) => {
      if (!(await consumeCode(tx, verifiedCurrentCode, now))) throw codeWrong('current');
      if (!(await consumeCode(tx, verifiedNewCode, now))) throw codeWrong('new');
      const change = { customerId, from, to: newPhoneProof.phone, requestedBy: customerId, now };
      if (from !== newPhoneProof.phone) await changePhoneNow(tx, deps, change);
    });
    const session = await openSession(tx, deps, customerId, { partnerId, ipAddress });
    return buildLoginResponse({ ...deps, db: tx }, session);
  });
}

/** Erases the customer as staff can, but confirmed with a code. */
export async function eraseOwnAccount(deps: CustomersDeps, request: OwnRequest, proof: CodeProofInput) {
  const verifiedCode = await checkOwnCode(deps, request, proof);
  await eraseCustomer(deps, request.caller.customerId, request.auditContext, verifiedCode);
}

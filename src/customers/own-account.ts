import type { Static } from 'typebox';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { type AuditContext, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { customerAuditEntity, withAuditedCustomerUpdate } from './change-customer.ts';
import { checkCode } from './codes/check-code.ts';
import { consumeCode } from './codes/store.ts';
import { encryptPerson } from './create-customer.ts';
import type { CustomersDeps } from './customers.ts';
import { eraseCustomer, type PersonalDataDeps } from './export-customer.ts';
import { decryptIdentity } from './identity.ts';
import type { CodeProof, NewPhone } from './phone-changes/forms.ts';
import { changePhoneNow } from './phone-changes/phone-change.ts';
import { codeWrong, tokenInvalid } from './problems.ts';
import { renderCustomer } from './render-customer.ts';
import type { Customer, Login } from './schemas.ts';
import { buildLoginResponse, openSession } from './sessions/open-session.ts';
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
  if (!customer) throw tokenInvalid('customer_gone');
  const { phone } = identities.decrypt(customer);
  const verifiedCode = await checkCode(deps, { phone, ...proof }, caller.ipAddress);
  if (!verifiedCode) throw codeWrong(codeField);
  return verifiedCode;
}

/** Confirmed with a code sent to the phone, because e-mail is not used to log in. */
export async function changeOwnEmail(
  deps: CustomersDeps,
  request: OwnRequest,
  { email, ...proof }: CodeProofInput & { email: string },
): Promise<Static<typeof Customer>> {
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
      await updateIdentity(tx, encryptPerson(vault, id, { ...identity, email: email.toLowerCase() }));
    },
  );
  return renderCustomer((await findCustomer(db, customerId, deps, clock.now()))!, identities);
}

/** Confirmed with codes sent to both phones. Takes effect immediately: all sessions end, and a new one starts. */
export async function changeOwnPhone(
  deps: CustomersDeps,
  request: OwnRequest,
  { current, ...newPhone }: Static<typeof NewPhone>,
): Promise<Static<typeof Login>> {
  const { db, endedSessions } = deps;
  const { customerId, partnerId, ipAddress } = request.caller;
  const { auditContext } = request;
  const verifiedCode = await checkOwnCode(deps, request, current, 'current');
  const verifiedNewCode = await checkCode(deps, newPhone, ipAddress);
  if (!verifiedNewCode) throw codeWrong('new');
  let endedSessionIds: string[] = [];
  const login = await customerTransaction(db, customerId, async (tx) => {
    await withAuditedUpdate(
      tx,
      auditContext,
      { entity: customerAuditEntity(deps), id: customerId },
      async ({ phone }) => {
        if (!(await consumeCode(tx, verifiedCode, auditContext.now))) throw codeWrong('current');
        if (!(await consumeCode(tx, verifiedNewCode, auditContext.now))) throw codeWrong('new');
        const { now } = auditContext;
        const change = { customerId, from: phone, to: newPhone.phone, requestedBy: customerId, now };
        if (phone !== newPhone.phone) endedSessionIds = await changePhoneNow(tx, change);
      },
    );
    const session = await openSession(tx, deps, { principalId: customerId, partnerId, ipAddress });
    return buildLoginResponse({ ...deps, db: tx }, session);
  });
  for (const id of endedSessionIds) endedSessions.add(id);
  return login;
}

/** The erasure that staff can do, confirmed with a code. */
export async function eraseOwnAccount(
  deps: CustomersDeps & PersonalDataDeps,
  request: OwnRequest,
  proof: CodeProofInput,
) {
  const verifiedCode = await checkOwnCode(deps, request, proof);
  const erased = await eraseCustomer(deps, request.caller.customerId, request.auditContext, verifiedCode);
  for (const id of erased?.endedSessionIds ?? []) deps.endedSessions.add(id);
}

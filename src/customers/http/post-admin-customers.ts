import { parseReais } from '#core/money.ts';
import { requireRole } from '#partners';
import { type CustomerTx, forNewCustomers } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy, recordCreation } from '#platform/privacy/trail.ts';
import { cpfTaken, passwordTooCommon, phoneTaken, referralCodeUnknown, underage } from '../problems.ts';
import { type RegistrationDeps, registerCustomer } from '../register-customer.ts';
import { renderForOperator } from '../render-customer.ts';
import { CustomerForm, OperatorCustomer } from '../schemas.ts';

export const postAdminCustomers = (deps: RegistrationDeps) =>
  endpoint('POST /admin/customers', {
    access: { scope: 'operator', role: 'support' },
    id: 'createCustomer',
    summary: 'Register a customer',
    description:
      'A phone and a CPF belong to one customer each. With the referral code of another customer, that one has invited ' +
      'this one; a code that nobody has is refused, and nobody is registered. A limit above DEFAULT_CREDIT_LIMIT needs the ' +
      'role `finance`.',
    headers: idempotency.header,
    body: CustomerForm,
    answers: {
      201: {
        description: 'The customer.',
        schema: OperatorCustomer,
        headers: {
          Location: 'Address of the customer at this door.',
          ...idempotency.replayed,
        },
      },
    },
    problems: [
      ...idempotency.problems,
      passwordTooCommon,
      phoneTaken,
      cpfTaken,
      underage,
      referralCodeUnknown,
    ],
    async handler(request, reply) {
      const { db, clock, hashers, people, vault } = deps;
      const { password, ...form } = request.body;
      if (parseReais(form.credit_limit ?? 0)! > deps.firstLimit.most) requireRole(request.caller, 'finance');
      // Before the transaction, so that hashing holds no lock.
      const passwordHash =
        password === undefined
          ? null
          : await hashers.inTurn(request.caller, (hasher) => hasher.hash(password, form));
      const change = changeBy(request, clock.now());
      const register = async (tx: CustomerTx) => {
        const registered = await registerCustomer(tx, form, passwordHash, deps);
        const shown = { ...renderForOperator(registered, people), phone_change: null };
        await recordCreation(tx, change, { kind: 'customer', id: shown.id }, shown);
        return shown;
      };
      // Keyed: from a plain hash CPF and password could be guessed.
      const fingerprint = vault.hash('request', JSON.stringify(request.body)).toString('base64');
      const customer = await createOnce(
        forNewCustomers(db),
        { request, reply, now: clock.now() },
        register,
        fingerprint,
      );
      return reply.header('location', `/admin/customers/${customer.id}`).send(customer);
    },
  });

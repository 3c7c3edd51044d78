import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { buildPolicy, type Policy } from '#core/finance/decision.ts';
import { cents } from '#core/values/money.ts';
import { publishOverdue } from '#credit';
import { lockCustomerById } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { createModuleEvents, readConfiguration } from '../../src/modules.ts';
import type { Answer, Service } from '../harness.ts';
import { newCode, newCpf, newIpAddressHeaders, newPhone, OPERATOR_KEY } from './customers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

/** The policy that is built in for live. */
export const CAUTIOUS: Policy = buildPolicy('cautious', cents(15_000));

export type SignedUp = { id: string; phone: string; token: string; limit: number };

/** Signs people up, sets policies and reads decisions in a service behind a proxy. */
type Options = { headers: Record<string, string> };

export function openBank(service: Service) {
  const staff = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.staff(method, path, { key: OPERATOR_KEY, body, headers });
  const bank = {
    staff,

    async trySignUp(more: Record<string, unknown> = {}, options: Options = onOwnDevice()): Promise<Answer> {
      const form = {
        ...(await newCode(service, newPhone(), options)),
        name: 'Elisa Prado',
        cpf: newCpf(),
        birth_date: '1990-05-31',
        email: 'elisa@example.com',
        terms: '2026-11',
        ...more,
      };
      return service.post('/wallet/auth/signup', form, options);
    },

    async signUp(more: Record<string, unknown> = {}, options?: Options): Promise<SignedUp> {
      const answer = await bank.trySignUp(more, options);
      assert.equal(answer.status, 201, answer.text);
      const { token, customer } = answer.body;
      return { id: customer.id, phone: customer.phone, token, limit: customer.credit.limit };
    },

    async setPolicy(wanted: object): Promise<Body> {
      const answer = await staff('PUT', '/admin/credit-policy', wanted);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },

    /** Newest first. */
    async decisions(customerId: string): Promise<Body[]> {
      const answer = await staff('GET', `/admin/credit-decisions?customer=${customerId}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    },

    credit: async (token: string): Promise<Body> => (await service.get('/wallet/credit', { token })).body,

    /** Tells what became overdue, as the hourly job does. */
    async tellLate(customerId: string): Promise<void> {
      const given = { events: createModuleEvents(readConfiguration({})), now: service.clock.now() };
      await customerTransaction(service.db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        await publishOverdue(tx, customerId, given);
      });
    },
  };
  return bank;
}

/** Another client address and another device every time. */
const onOwnDevice = (): Options => ({
  headers: { ...newIpAddressHeaders().headers, 'x-device': randomUUID() },
});

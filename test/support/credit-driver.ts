import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { buildPolicy, type Policy } from '#core/finance/decision.ts';
import { cents } from '#core/values/money.ts';
import { publishOverdue } from '#credit';
import { lockCustomerById } from '#customers';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { createModuleEvents, readConfiguration } from '../../src/modules.ts';
import type { ApiResponse, Body, SharedService } from '../harness.ts';
import { newCode, newCpf, newIpAddressOptions, newPhone, OPERATOR_KEY } from './customers.ts';

/** The built-in policy of live mode. */
export const CAUTIOUS_POLICY: Policy = buildPolicy('cautious', cents(15_000));

export type SignedUpCustomer = { id: string; phone: string; token: string; limit: number };

type RequestOptions = { headers: Record<string, string> };

/**
 * Signs customers up, sets policies and reads decisions. The service must trust a proxy, because each sign-up has a client IP address of
 * its own, so that the limits per address are not reached.
 */
export function createCreditDriver(service: SharedService) {
  const callStaff = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.staff(method, path, { key: OPERATOR_KEY, body, headers });
  const creditDriver = {
    callStaff,

    /** Requests a sign-up, which the service may refuse. */
    async requestSignUp(
      overrides: Record<string, unknown> = {},
      options: RequestOptions = newDeviceOptions(),
    ): Promise<ApiResponse> {
      const form = {
        ...(await newCode(service, newPhone(), options)),
        name: 'Elisa Prado',
        cpf: newCpf(),
        birth_date: '1990-05-31',
        email: 'elisa@example.com',
        terms: '2026-11',
        ...overrides,
      };
      return service.post('/wallet/auth/signup', form, options);
    },

    async signUp(
      overrides: Record<string, unknown> = {},
      options?: RequestOptions,
    ): Promise<SignedUpCustomer> {
      const response = await creditDriver.requestSignUp(overrides, options);
      assert.equal(response.status, 201, response.text);
      const { token, customer } = response.body;
      return { id: customer.id, phone: customer.phone, token, limit: customer.credit.limit };
    },

    async setPolicy(policyInput: object): Promise<Body> {
      const response = await callStaff('PUT', '/admin/credit-policy', policyInput);
      assert.equal(response.status, 200, response.text);
      return response.body;
    },

    /** Lists the decisions about a customer, newest first. */
    async listDecisions(customerId: string): Promise<Body[]> {
      const response = await callStaff('GET', `/admin/credit-decisions?customer=${customerId}`);
      assert.equal(response.status, 200, response.text);
      return response.body.data;
    },

    getCredit: async (token: string): Promise<Body> => (await service.get('/wallet/credit', { token })).body,

    /** Publishes the events of installments that became overdue, as the hourly job does. */
    async publishOverdueEvents(customerId: string): Promise<void> {
      const context = { events: createModuleEvents(readConfiguration({})), now: service.clock.now() };
      await customerTransaction(service.db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        await publishOverdue(tx, customerId, context);
      });
    },
  };
  return creditDriver;
}

/** Returns call options with a new client IP address and a new device. */
const newDeviceOptions = (): RequestOptions => ({
  headers: { ...newIpAddressOptions().headers, 'x-device': randomUUID() },
});

import assert from 'node:assert/strict';
import type { ApiResponse, Node } from './harness.ts';
import { listMessages, newIpAddressHeaders, type SentCode } from './support/customers.ts';

/** For applications of merchants' people. */
export const TILL_KEY = 'sandbox-till-key';
export const OWNER_LUCIA = '+5511987650010';
export const CLERK_TEO = '+5511987650011';

/** A code for a member, from another address each time: limits per address are not what most tests are about. */
export async function newMemberCode(node: Node, phone: string, key = TILL_KEY): Promise<SentCode> {
  const response = await node.post('/merchant/auth/otp', { phone }, { ...newIpAddressHeaders(), key });
  assert.equal(response.status, 202, response.text);
  const message = (await listMessages(node, phone)).find(({ code }) => code !== null);
  return { phone, challenge_id: response.body.challenge_id, code: message!.code };
}

/** Signs a member in, and returns the answer of the login. */
export async function logInMember(
  node: Node,
  phone: string,
  overrides: { merchant?: string; key?: string } = {},
): Promise<ApiResponse['body']> {
  const { key = TILL_KEY, ...form } = overrides;
  const sentCode = await newMemberCode(node, phone, key);
  const response = await node.post('/merchant/auth/otp/login', { ...sentCode, ...form }, { key });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

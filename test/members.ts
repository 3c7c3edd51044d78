import assert from 'node:assert/strict';
import type { Body, Node } from './harness.ts';
import { newIpAddressOptions, requestCode, type SentCode } from './support/customers.ts';

/** The API key of the till, an application of merchants' members. */
export const TILL_KEY = 'sandbox-till-key';
export const OWNER_LUCIA = '+5511987650010';
export const CLERK_TEO = '+5511987650011';

/** Requests a login code of a member. */
export const newMemberCode = (node: Node, phone: string, key = TILL_KEY): Promise<SentCode> =>
  requestCode(node, '/merchant/auth/otp', phone, { ...newIpAddressOptions(), key });

/** Signs a member in, and returns the response of the login. */
export async function logInMember(
  node: Node,
  phone: string,
  overrides: { merchant?: string; key?: string } = {},
): Promise<Body> {
  const { key = TILL_KEY, ...form } = overrides;
  const sentCode = await newMemberCode(node, phone, key);
  const response = await node.post('/merchant/auth/otp/login', { ...sentCode, ...form }, { key });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

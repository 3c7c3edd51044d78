import type { Transport } from '#client';
import {
  type CallIdOf,
  type Calls,
  type AnswerOf as ClientAnswerOf,
  type InputOf as ClientInputOf,
  type OutputOf as ClientOutputOf,
  createCalls,
  type Listed,
  type ListIdOf,
} from '#client/calls.ts';
import type { operations as Operations } from './openapi.ts';
import type { components } from './openapi-schemas.ts';
import { operations } from './operations.ts';

/** The typed client of the staff door: a function for every operation. */
export type StaffClient = Calls<Operations>;
export type StaffSchemas = components['schemas'];
export type OperationId = keyof Operations;
/** Operations that answer once. */
export type CallId = CallIdOf<Operations>;
export type InputOf<O extends CallId> = ClientInputOf<Operations[O]>;
export type OutputOf<O extends CallId> = ClientOutputOf<Operations[O]>;
export type AnswerOf<O extends CallId> = ClientAnswerOf<Operations[O]>;
export type ListId = ListIdOf<Operations>;
export type Item<O extends ListId> = Listed<Operations[O]>;
export type QueryOf<O extends OperationId> = NonNullable<Operations[O]['parameters']['query']>;

export const ROLES = ['viewer', 'content', 'support', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether the staff door lets this role make the call. */
export const mayCall = (role: Role, operation: OperationId): boolean => {
  const declared = operations[operation];
  return !('role' in declared) || ROLES.indexOf(role) >= ROLES.indexOf(declared.role);
};

/** Whether the list can be turned round. */
export const isSorted = (operation: ListId): boolean => 'sorted' in operations[operation];

export const createStaffClient = (options: {
  url: string;
  transport: Transport;
  /** The address of whom the office calls for. */
  address: string;
  agent: string;
  session?: string | undefined;
}): StaffClient => {
  const { url, transport, address, agent, session } = options;
  return createCalls<Operations>(operations, {
    url,
    transport,
    headers: {
      'accept-language': 'pt-BR',
      'x-client-ip': address,
      'user-agent': agent,
      ...(session && { authorization: `Bearer ${session}` }),
    },
  });
};

import * as calls from '../../client/src/calls.ts';
import type { operations as Operations } from './openapi.ts';
import type { Schemas } from './openapi-schemas.ts';
import { amountFields, bodyFields, listFilters, operations } from './operations.ts';

/** The typed client of the staff API: a function for every operation. */
export type StaffClient = calls.Calls<Operations>;
export type StaffSchemas = Schemas;
export type OperationId = keyof Operations;
/** Operations that return a single response, not a stream. */
export type CallId = calls.CallIdOf<Operations>;
export type InputOf<O extends CallId> = calls.InputOf<Operations[O]>;
export type OutputOf<O extends CallId> = calls.OutputOf<Operations[O]>;
/** The response with its status and headers. `OutputOf` is only its data. */
export type FullResponseOf<O extends CallId> = calls.FullResponseOf<Operations[O]>;
export type ListId = calls.ListIdOf<Operations>;
export type Item<O extends ListId> = calls.ListItemOf<Operations[O]>;
export type QueryOf<O extends OperationId> = Operations[O] extends { query?: infer Q }
  ? NonNullable<Q>
  : never;

export const ROLES = ['viewer', 'content', 'support', 'risk', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Returns whether a role is one of the required roles or includes one. `admin` includes all roles, and every role includes `viewer`. */
export const hasRole = (role: Role, requiredRoles: Role | readonly Role[]): boolean =>
  role === 'admin' ||
  [requiredRoles].flat().some((requiredRole) => requiredRole === role || requiredRole === 'viewer');

/** Returns whether the staff API allows a role to make the call. */
export const mayCall = (role: Role, operation: OperationId): boolean => {
  const entry = operations[operation];
  return !('role' in entry) || hasRole(role, entry.role);
};

/** Returns the HTTP method of an operation. */
export const getMethod = (operation: OperationId): string => operations[operation].method;

/** Returns whether the list has the query parameter `sort`, which reverses its order. */
export const isReversible = (operation: ListId): boolean => 'sorted' in operations[operation];

/** Returns the filters of a list by name: `text`, `day`, or the allowed values. */
export const getListFilters = (
  operation: OperationId,
): Readonly<Record<string, 'text' | 'day' | readonly string[]>> =>
  listFilters[operation as keyof typeof listFilters] ?? {};

export type BodyField = {
  readonly type: 'text' | 'number' | 'amount' | 'boolean' | 'instant' | 'phone' | 'list';
  readonly maxLength?: number;
  readonly optional?: true;
  readonly nullable?: true;
};

/** Returns the fields of the body of a call. A field of an inner object has a name like `plan/max_amount`. */
export const getBodyFields = (operation: OperationId): Readonly<Record<string, BodyField>> =>
  bodyFields[operation as keyof typeof bodyFields] ?? {};

export const hasBody = (operation: OperationId): boolean => operation in bodyFields;

/** Returns whether fields with this name contain an amount in reais. */
export const isAmountField = (name: string): boolean => (amountFields as readonly string[]).includes(name);

export const createStaffClient = (options: calls.CallsOptions): StaffClient =>
  calls.createCalls<Operations>(operations, options);

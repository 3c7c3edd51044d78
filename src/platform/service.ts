/** The name and type of a service that one module provides to others. See `provideService` and `findService` in module.ts. */
export type Service<T> = { readonly name: string; readonly type?: T };

export const defineService = <T>(name: string): Service<T> => ({ name });

export type ServiceBinding = readonly [Service<unknown>, unknown];

export const bindService = <T>(name: Service<T>, value: T): ServiceBinding => [name, value];

/** What one module offers another while the service runs, by name and type. See `provide` and `find` in module.ts. */
export type Service<T> = { readonly name: string; readonly type?: T };

export const service = <T>(name: string): Service<T> => ({ name });

/** A service that needs nothing of a running node. */
export type Provided = readonly [Service<unknown>, unknown];

export const provided = <T>(name: Service<T>, value: T): Provided => [name, value];

import asyncHooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

/**
 * Loaded before node:test in a worker (`--import`). To know which test is running, node:test follows every promise with an async
 * hook, which costs a tenth of all CPU time of the tests. Here the hook follows tests only, and an AsyncLocalStorage carries the
 * current test through promises, timers and sockets.
 */
const { createHook, executionAsyncId } = asyncHooks;
const { runInAsyncScope } = AsyncResource.prototype;
const TEST_CLASSES = ['Test', 'Suite', 'TestHook'];
const currentTest = new AsyncLocalStorage<number>();

asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
asyncHooks.executionAsyncId = () => currentTest.getStore() ?? executionAsyncId();
AsyncResource.prototype.runInAsyncScope = function runInTest<This, Args extends unknown[], Result>(
  this: AsyncResource,
  fn: (this: This, ...args: Args) => Result,
  thisArg?: This,
  ...args: Args
): Result {
  const run = () => fn.apply(thisArg as This, args);
  const isTest = TEST_CLASSES.includes(this.constructor.name);
  // Set inside the scope, because a resource restores the context in which it was created.
  return runInAsyncScope.call(this, isTest ? () => currentTest.run(this.asyncId(), run) : run) as Result;
} as typeof runInAsyncScope;

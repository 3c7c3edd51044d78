/** Returns whether a test needs a browser, which the end of its file name says. */
export const isBrowserTest = (file: string): boolean => /browser(\.slow)?\.test\.ts$/.test(file);

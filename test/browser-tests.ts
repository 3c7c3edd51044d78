/** Browser tests are the files whose names end like this. */
export const isBrowserTest = (file: string): boolean => /browser(\.slow)?\.test\.ts$/.test(file);

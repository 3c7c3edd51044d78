/** Browser tests are the files whose names end like this. */
export const isBrowserTest = (file: string): boolean => file.endsWith('browser.test.ts');

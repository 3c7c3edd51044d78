import type { Page } from 'playwright-core';
import type { Service } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/shop.ts';

// What tests of the back office in a browser have in common.

export const WIDE = { viewport: { width: 1280, height: 850 } };

/** The staff door, as the operator. */
export const staffOf = (service: Service) => (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });

export async function enterAs(page: Page, role: string): Promise<void> {
  await page.goto('/');
  await button(page, role).click();
  await heading(page, 'Hoje').waitFor();
}

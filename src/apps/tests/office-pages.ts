import type { Service } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/shop.ts';
import type { AnyPage, LocatorOf } from './plain-page.ts';

// Helpers of tests that open the back office in a browser or without scripts.

export const WIDE = { viewport: { width: 1280, height: 850 } };

/** Creates a function that calls the staff API as the operator. */
export const createStaffCaller = (service: Service) => (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });

export const button = <P extends AnyPage>(page: P, name: string) =>
  page.getByRole('button', { name, exact: true }) as LocatorOf<P>;
export const link = <P extends AnyPage>(page: P, name: string) =>
  page.getByRole('link', { name, exact: true }) as LocatorOf<P>;
export const heading = <P extends AnyPage>(page: P, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }) as LocatorOf<P>;

export async function enterAs(page: AnyPage, role: string): Promise<void> {
  await page.goto('/');
  await button(page, role).click();
  await heading(page, 'Hoje').waitFor();
}

const PASSWORD = 'girafa-boia-longe';

/** Invites Marina Duarte, and accepts the invitation up to the choice of a second factor. */
export async function acceptInvitation(
  page: AnyPage,
  service: Service,
  { role, email }: { role: string; email: string },
): Promise<void> {
  const { body } = await createStaffCaller(service)('POST', '/admin/staff', { name: 'Marina Duarte', role });
  await page.goto(`/convite/${body.invite_url.split('/').at(-1)}`);
  await heading(page, 'Olá, Marina').waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await button(page, 'Continuar').click();
  await heading(page, 'Escolha um segundo fator').waitFor();
}

/** Signs in up to the second factor. A page that requires a session redirects to the sign-in page. */
export async function signIn(page: AnyPage, email: string, path = '/entrar'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await button(page, 'Entrar').click();
  await heading(page, 'Segundo fator').waitFor();
}

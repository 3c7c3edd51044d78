import type { Service } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import type { AnyPage, LocatorOf } from './plain-page.ts';

// Helpers of tests that open the back office in a browser or without scripts.

export const DESKTOP_SCREEN = { viewport: { width: 1280, height: 850 } };

/** Creates a function that calls the staff API as the operator. */
export const createStaffCaller = (service: Service) => (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });

// `name` is the whole text of the element, and in a heading a part of it.
export const findButton = <P extends AnyPage>(page: P, name: string) =>
  page.getByRole('button', { name, exact: true }) as LocatorOf<P>;
export const findLink = <P extends AnyPage>(page: P, name: string) =>
  page.getByRole('link', { name, exact: true }) as LocatorOf<P>;
export const findHeading = <P extends AnyPage>(page: P, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }) as LocatorOf<P>;

/** Signs in a staff user of a role by its button on the sign-in page of the sandbox. */
export async function signInAs(page: AnyPage, role: string): Promise<void> {
  await page.goto('/');
  await findButton(page, role).click();
  await findHeading(page, 'Hoje').waitFor();
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
  await findHeading(page, 'Olá, Marina').waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await findButton(page, 'Continuar').click();
  await findHeading(page, 'Escolha um segundo fator').waitFor();
}

/** Signs in with the password, and waits for the page of the second factor. A page that requires a session redirects to the sign-in page. */
export async function signInUpToSecondFactor(page: AnyPage, email: string, path = '/entrar'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await findButton(page, 'Entrar').click();
  await findHeading(page, 'Segundo fator').waitFor();
}

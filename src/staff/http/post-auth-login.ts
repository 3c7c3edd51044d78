import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { invalidCredentials, loginLocked } from '#platform/passwords/problems.ts';
import { logIn } from '../sign-in/log-in.ts';
import { Entered, LoginForm } from '../sign-in/schemas.ts';
import { browserOf } from '../sign-in/sessions.ts';
import type { Staff } from '../staff.ts';

export const postAuthLogin = (staff: Staff) =>
  endpoint('POST /auth/login', {
    access: 'open',
    id: 'signInStaff',
    summary: 'Sign in at the back office',
    description:
      'The session is a credential of this door, with the role of the person, once `next` is done.',
    body: LoginForm,
    answers: { 200: { description: 'The session.', schema: Entered } },
    problems: [invalidCredentials, loginLocked, rateLimited],
    handler: (request) => logIn(staff, request.body, { browser: browserOf(request), requestId: request.id }),
  });

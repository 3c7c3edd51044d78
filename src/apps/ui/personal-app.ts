import type { FunctionComponent } from 'preact';
import type { App } from '../server/app.ts';
import { addInstallRoutes, type InstallableApp } from '../server/install.ts';
import { addPersonalPages, type PersonalApp } from '../server/personal-pages.tsx';
import { addRedirectParam } from '../server/sign-in.ts';
import type { AppHead, PersonalPageProps } from './personal-layout.tsx';
import { describeServerError, offlinePage, renderStatusPage, type StatusMessage } from './status-pages.tsx';

type Definition = Pick<PersonalApp, 'home' | 'privatePages' | 'publicPages' | 'forms'> & {
  /** Whose accounts sign in. The app has no routes if the server has no API key for them. */
  people: 'customers' | 'members';
  layout: FunctionComponent<PersonalPageProps>;
  notFound: StatusMessage;
  /** Undefined if the pages themselves have the sign-in form. */
  signInPath?: string;
  install?: InstallableApp & AppHead & { label: string };
};

/** An app for one person at a time, declared by its people, layout, pages and forms. */
export const createPersonalApp = ({
  people,
  layout,
  notFound,
  signInPath,
  install,
  ...app
}: Definition): App => ({
  pathPrefixes: [app.home],
  addRoutes(host) {
    const accounts = host[people];
    if (!accounts) return undefined;
    if (install) addInstallRoutes(host, install, () => offlinePage(install, install.label));
    return addPersonalPages(host, {
      ...app,
      accounts,
      signInPathFor: (page) =>
        signInPath ? addRedirectParam(signInPath, page === app.home ? undefined : page) : page,
      notFoundPage: (context) => renderStatusPage(layout, context, notFound),
      failurePage: (context, failure) =>
        renderStatusPage(
          layout,
          context,
          describeServerError(failure, 'Nada se perdeu e nada foi cobrado agora.'),
        ),
    });
  },
});

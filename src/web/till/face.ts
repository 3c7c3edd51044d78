import type { Face } from '../server/face.ts';
import { addApp } from '../server/install.ts';
import { addPersonalPages } from '../server/personal.ts';
import { leadingTo } from '../server/sign-in.ts';
import { offlinePage } from '../ui/offline.tsx';
import { HOME, TILL_APP } from './layout.tsx';
import { brokenPage, missingPage } from './notices.tsx';
import { FORMS, OPEN_PAGES, PAGES } from './routes.ts';
import { addSideBySide } from './side-by-side.tsx';

/** A merchant's till: for its people, on a phone. Without a key for it, it is not there. */
export const tillFace: Face = {
  prefixes: [HOME, '/lado-a-lado'],
  add(host) {
    if (!host.members) return undefined;
    if (host.sandbox) addSideBySide(host, host.members, host.sandbox);
    addApp(
      host,
      {
        ...TILL_APP,
        name: 'Semana Balcão',
        shortName: 'Balcão',
        description: 'Vender em parcelas semanais, devolver e acompanhar o que a loja recebe.',
        scope: HOME,
        colors: { ground: '#ffc94d', bar: '#0c2b1f', day: '#0a7048' },
      },
      () => offlinePage(TILL_APP, 'Balcão da Semana'),
    );
    return addPersonalPages(host, {
      people: host.members,
      home: HOME,
      signInFor: (page) => leadingTo(`${HOME}/entrar`, page === HOME ? undefined : page),
      pages: PAGES,
      openPages: OPEN_PAGES,
      forms: FORMS,
      missingPage,
      brokenPage,
    });
  },
};

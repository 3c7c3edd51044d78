import './personal-pages.ts';
import './scan.ts';
import './push.ts';

import './personal.ts';
import './scan.ts';
import './push.ts';

import './personal.ts';
import './push.ts';

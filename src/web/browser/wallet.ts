import './personal.ts';
import './scan.ts';

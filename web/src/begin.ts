// The first module of all: what the first screen will ask for is under way while the rest is still being read.
import { beginEarly } from './early.ts';

if (['/', '/buses'].includes(location.pathname)) beginEarly('/api/bus_list');

import { blocks } from '../../../../docs/unit-interface.md';
import { Blocks } from './blocks.tsx';

/** The unit interface, for authors of firmware. */
export function UnitInterface() {
  return (
    <div lang="en">
      <Blocks blocks={blocks} />
    </div>
  );
}

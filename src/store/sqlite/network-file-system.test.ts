import { describe, expect, it } from 'vitest';
import { networkFileSystem } from './network-file-system.ts';

const fuse = 0x65735546;
const mountinfo = [
  '22 27 0:21 / /proc rw,relatime - proc proc rw',
  '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
  '40 27 0:50 / /mnt/box rw,relatime shared:1 - fuse.sshfs me@box:/home rw,user_id=0',
  '41 27 0:51 / /mnt/box/local rw,relatime - fuse.ntfs-3g /dev/sdb1 rw',
  '42 27 0:52 / /mnt/with\\040space rw,relatime - fuse.rclone remote: rw',
  '',
].join('\n');

describe('network file system', () => {
  it.each([
    ['ext4', 0xef53, '/work', null],
    ['tmpfs', 0x01021994, '/dev/shm', null],
    ['btrfs', 0x9123683e, '/work', null],
    ['overlayfs', 0x794c7630, '/work', null],
    ['nfs', 0x6969, '/work', 'nfs'],
    ['smb', 0x517b, '/work', 'smb'],
    ['cifs', 0xff534d42, '/work', 'cifs'],
    ['cifs, as a signed number', 0xff534d42 | 0, '/work', 'cifs'],
    ['smb2', 0xfe534d42, '/work', 'smb2'],
    ['9p', 0x01021997, '/mnt/c', '9p'],
    ['sshfs', fuse, '/mnt/box/work', 'fuse.sshfs'],
    ['sshfs itself', fuse, '/mnt/box', 'fuse.sshfs'],
    ['another fuse inside of it', fuse, '/mnt/box/local/work', null],
    ['a name that only begins like it', fuse, '/mnt/boxes', null],
    ['a mount point with a space', fuse, '/mnt/with space/work', 'fuse.rclone'],
  ])('%s', (_, magic, path, name) => {
    expect(networkFileSystem(magic, () => mountinfo, path)).toBe(name);
  });
});

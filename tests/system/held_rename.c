/* Holds a process at the rename that puts a file in its place, for as long as another process wants.
 *
 * Preloaded (LD_PRELOAD). A rename to a path that contains $DOWNPOUR_HELD_NAME waits while the folder $DOWNPOUR_HOLD exists,
 * and says so by the file "held" in it. Everything else is left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rename(const char *from, const char *to) {
  int (*system_rename)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  const char *name = getenv("DOWNPOUR_HELD_NAME"), *folder = getenv("DOWNPOUR_HOLD");
  char held[4096];
  if (name && folder && strstr(to, name) && snprintf(held, sizeof held, "%s/held", folder) < (int)sizeof held) {
    int file;
    while ((file = open(held, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)) >= 0) {
      close(file);
      usleep(10000);
    }
  }
  return system_rename(from, to);
}

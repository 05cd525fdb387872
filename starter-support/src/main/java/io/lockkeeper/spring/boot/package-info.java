/** Auto-configuration of keepers for Spring Boot. */
@NullMarked
package io.lockkeeper.spring.boot;

import org.jspecify.annotations.NullMarked;
